@g = global i32 1

define i32 @whole() {
  ret i32 0
}

define i32 @cut_off(i32 %x) {
  %y = add i32 %x,

; gives
module "case.ll" i128 8
global @g external: i32 align 4 = i32 1
function @whole external () -> i32 {
b0:
  return i32 0 st0
}
function @cut_off external (v0 x: i32) -> i32 unreadable 7 "the text ends inside the function"
statement st0 @whole b0
; line 7: function cut_off: the text ends inside the function
