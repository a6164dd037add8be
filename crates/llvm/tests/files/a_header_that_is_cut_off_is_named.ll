define i32 @whole() {
  ret i32 0
}

define i32 @cut_off(i32 %x, { i32,

; gives
module "case.ll" i128 8
function @whole external () -> i32 {
b0:
  return i32 0 st0
}
function @cut_off external (v0 x: i32) -> i32 unreadable 6 "expected a type but found the end"
statement st0 @whole b0
; line 6: function cut_off: expected a type but found the end
