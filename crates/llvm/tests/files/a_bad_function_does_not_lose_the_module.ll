@g = global i32 ptrauth (ptr @fine, i32 0)
@h = global %nothing undef

define i32 @fine() {
  ret i32 0
}

define i32 @unknown_instruction(i32 %x) !dbg !0 {
entry:
  %a = add i32 %x, 1
  %b = frobnicate i32 %a, 2, !dbg !3
  ret i32 %b
}

define void @asm_goto() {
  callbr void asm "", ""() to label %a []
a:
  ret void
}

define void @scalable(<vscale x 4 x i32> %v) {
  ret void
}

define void @windows() {
  %p = catchpad within none []
  ret void
}

define void @undefined_value() {
  store i32 %nowhere, ptr null
  ret void
}

define i32 @wrong_type(i32 %x) {
  %y = add i64 %x, 1
  ret i32 0
}

define void @undefined_block() {
  br label %nowhere
}

define void @unknown_symbol() {
  call void @nobody()
  ret void
}

define void @open_end() {
  %a = add i32 1, 2
}

define void @twice(i32 %a) {
  %a = add i32 1, 2
  ret void
}

define void @matrix(x86_amx %m) {
  ret void
}

declare target("spirv.Image") @image()

!0 = distinct !DISubprogram(name: "unknown_instruction", scope: !1, file: !1, line: 4, type: !2, unit: !4)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = !DISubroutineType(types: !5)
!3 = !DILocation(line: 6, column: 3, scope: !0)
!4 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
!5 = !{null}

; gives
module "case.ll" i128 8
file0 = "/d" "a.c"
scope0 = file0:4 function "unknown_instruction"
d0 = function none
global @g external: i32 align 4
global @h external: i8 align 1
function @fine external () -> i32 {
b0:
  return i32 0 st0
}
function @unknown_instruction external (v0 x: i32) -> i32 source "unknown_instruction" type d0 @ 4:0 scope0 unreadable 11 "unknown instruction `frobnicate` (from a.c:6)"
function @asm_goto external () -> void unreadable 16 "instruction `callbr` is not supported"
function @scalable external () -> void unreadable 21 "vectors of a size known only at run time are not supported"
function @windows external () -> void unreadable 26 "instruction `catchpad` is not supported"
function @undefined_value external () -> void unreadable 33 "%nowhere is used but never given a value"
function @wrong_type external (v0 x: i32) -> i32 unreadable 36 "%x is used with another type than it has"
function @undefined_block external () -> void unreadable 42 "there is no block %nowhere"
function @unknown_symbol external () -> void unreadable 45 "@nobody is not defined"
function @open_end external () -> void unreadable 51 "the last block does not end with a branch or return"
function @twice external (v0 a: i32) -> void unreadable 54 "a name is given two values"
function @matrix external () -> void unreadable 58 "type x86_amx is not supported"
function @image external () -> void unreadable 62 "type target is not supported"
statement st0 @fine b0
; line 1: @g: a constant made by `ptrauth` is not supported
; line 2: @h: type %nothing is not defined
; line 11: function unknown_instruction: unknown instruction `frobnicate` (from a.c:6)
; line 16: function asm_goto: instruction `callbr` is not supported
; line 21: function scalable: vectors of a size known only at run time are not supported
; line 26: function windows: instruction `catchpad` is not supported
; line 33: function undefined_value: %nowhere is used but never given a value
; line 36: function wrong_type: %x is used with another type than it has
; line 42: function undefined_block: there is no block %nowhere
; line 45: function unknown_symbol: @nobody is not defined
; line 51: function open_end: the last block does not end with a branch or return
; line 54: function twice: a name is given two values
; line 58: function matrix: type x86_amx is not supported
; line 62: function image: type target is not supported
