@data = global [4 x i32] zeroinitializer
@second = alias i32, ptr getelementptr inbounds ([4 x i32], ptr @data, i64 0, i64 1)
@again = weak alias i32, ptr @second
@other_name = internal alias i32 (i32), ptr @twice
@loop = alias i32, ptr @loop
@use = global [2 x ptr] [ptr @again, ptr @other_name]
@chosen = ifunc i32 (), ptr @resolver

define i32 @twice(i32 %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}

define ptr @resolver() {
  ret ptr null
}

define i32 @main() {
  %a = call i32 @other_name(i32 4)
  %b = load i32, ptr @again
  %c = call i32 @chosen()
  ret i32 %a
}

; gives
module "case.ll" i128 8
global @data external: [4 x i32] align 4 = [4 x i32] zero
global @use external: [2 x ptr] align 8 = [2 x ptr] {ptr offset(ptr @data, 4), ptr @twice}
alias @second external = ptr offset(ptr @data, 4)
alias @again weak = ptr offset(ptr @data, 4)
alias @other_name internal = ptr @twice
function @chosen external () -> void unreadable 7 "functions chosen at load time (ifunc) are not supported"
function @twice external (v0 x: i32) -> i32 {
b0:
  v1 r: i32 = shl v0, i32 1 st0
  return v1 st0
}
function @resolver external () -> ptr {
b0:
  return ptr null st1
}
function @main external () -> i32 {
b0:
  v0 a: i32 = call i32 @twice(i32 4) st2
  v1 b: i32 = load ptr offset(ptr @data, 4) st2
  v2 c: i32 = call i32 @chosen() st2
  return v0 st2
}
statement st0 @twice b0
statement st1 @resolver b0
statement st2 @main b0
; line 5: @loop: an alias stands for itself
; line 7: @chosen: functions chosen at load time (ifunc) are not supported
