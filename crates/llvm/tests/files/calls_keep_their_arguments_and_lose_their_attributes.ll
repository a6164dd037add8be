%big = type { [5 x i64] }
declare void @take(ptr byval(%big) align 16)
declare i32 @printf(ptr, ...)
declare void @old()
declare void @future(ptr captures(none) initializes((0, 8)) dead_on_return, i32 range(i32 0, 5) nofpclass(nan inf), float nofpclass(nan) noext)

define i32 @f(ptr %fp, ptr %p) {
  call void @take(ptr noundef byval(%big) align 8 %p)
  call void @take(ptr byval(%big) %p) #0
  %a = tail call fastcc noundef range(i32 0, 9) i32 (ptr, ...) @printf(ptr nonnull align(8) dereferenceable_or_null(8) "x"="y" %p, i32 signext -1, double 2.0) nounwind memory(none) [ "deopt"(i32 5), "x"() ], !dbg !0
  call void (...) @old(i32 1)
  call cc 10 void %fp(ptr %p)
  %b = musttail call ptr addrspace(0) %fp(i32 zeroext 3)
  call void @future(ptr captures(none) %p, i32 range(i32 0, 5) 4, float nofpclass(nan inf) 1.0)
  %c = call i32 asm sideeffect inteldialect "mov \22$0\22, $1", "=r,r,~{memory}"(i32 %a) #1, !srcloc !0
  %d = notail call nnan x86_fastcallcc i32 inttoptr (i64 4096 to ptr)(i32 %c)
  call void asm "", ""()
  call void null()
  ret i32 %d
}

define internal fastcc zeroext i8 @callee(i8 signext %x, ptr byval({ i8, i32 }) %y, ptr sret(%big) align 8 %out, ...) unnamed_addr #0 align 16 gc "none" prefix { i32, i32 } { i32 1, i32 2 } prologue i8 5 {
  %v = va_arg ptr %y, i32
  ret i8 %x
}

attributes #0 = { nounwind }
!0 = !{}

; gives
module "case.ll" i128 8
function @take external (v0: ptr byval 40 16) -> void
function @printf external (v0: ptr, ...) -> i32
function @old external () -> void
function @future external (v0: ptr, v1: i32, v2: f32) -> void
function @f external (v0 fp: ptr, v1 p: ptr) -> i32 {
b0:
  call void @take(v1 byval 40 8) st0
  call void @take(v1 byval 40 8) st0
  v2 a: i32 = call i32 @printf(v1, i32 -1, f64 2.0) fixed 1 st0
  call void @old(i32 1) fixed 0 st0
  call void indirect v0(v1) st0
  v3 b: ptr = call ptr indirect v0(i32 3) st0
  call void @future(v1, i32 4, f32 1.0) st0
  v4 c: i32 = call i32 asm ".intel_syntax noprefix\nmov \"$0\", $1" "=r,r,~{memory}"(v2) st0
  v5 d: i32 = call i32 indirect ptr inttoptr(i64 4096)(v4) st0
  call void asm "" ""() st0
  call void indirect ptr null() st0
  return v5 st0
}
function @callee internal (v0 x: i8, v1 y: ptr byval 8 4, v2 out: ptr, ...) -> i8 {
b0:
  v3 v: i32 = vaarg v1 st1
  return v0 st1
}
statement st0 @f b0
statement st1 @callee b0
