declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.expect.i64(i64, i64)
declare i1 @llvm.is.constant.i32(i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare double @llvm.fmuladd.f64(double, double, double)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)
declare i16 @llvm.convert.to.fp16.f64(double)
declare float @llvm.convert.from.fp16.f32(i16)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.assume(i1)
declare i32 @llvm.x86.strange.thing(i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.read_register.i64(metadata)
declare ptr @llvm.load.relative.i64(ptr, i64)
@tls = thread_local global i32 0

define i32 @f(ptr %p, i32 %x, double %d) {
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr @tls, i64 4, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 0, i64 4, i1 true)
  %a = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x, i32 3)
  %b = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
  %c = call i32 @llvm.abs.i32(i32 %b, i1 false)
  %e = call i32 @llvm.fshl.i32(i32 %c, i32 %x, i32 5)
  %f = call i64 @llvm.expect.i64(i64 7, i64 1)
  %g = call i1 @llvm.is.constant.i32(i32 %x)
  %h = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  %i = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 true, i1 true, i1 false)
  %j = call fast double @llvm.fmuladd.f64(double %d, double %d, double 1.0)
  %k = call i32 @llvm.fptosi.sat.i32.f64(double %j)
  %l = call double @llvm.experimental.constrained.fadd.f64(double %j, double %d, metadata !"round.tonearest", metadata !"fpexcept.strict")
  %m = call i1 @llvm.experimental.constrained.fcmp.f64(double %l, double %d, metadata !"olt", metadata !"fpexcept.strict")
  %n = call i16 @llvm.convert.to.fp16.f64(double %l)
  %o = call float @llvm.convert.from.fp16.f32(i16 %n)
  %q = call ptr @llvm.invariant.start.p0(i64 4, ptr %p)
  %r = call ptr @llvm.threadlocal.address.p0(ptr @tls)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  call void @llvm.assume(i1 %m) [ "align"(ptr %p, i64 8) ]
  %s = call i32 @llvm.x86.strange.thing(i32 %k)
  %t = call i32 @llvm.smax.i32(i32 %s, i32 %e)
  %u = call i64 @llvm.read_register.i64(metadata !0)
  %v = call ptr @llvm.load.relative.i64(ptr %p, i64 8)
  ret i32 %t
}

!0 = !{!"rsp"}

; gives
module "case.ll" i128 8
global @tls external: i32 align 4 thread_local = i32 0
function @f external (v0 p: ptr, v1 x: i32, v2 d: f64) -> i32 {
b0:
  call void builtin memcpy(v0, ptr @tls, i64 4) st0
  call void builtin memset(v0, i8 0, i64 4) st0
  v3 a: {i32, i1} = call {i32, i1} builtin umul.overflow(v1, i32 3) st0
  v4 b: i32 = call i32 builtin ctlz(v1) st0
  v5 c: i32 = call i32 builtin abs(v4) st0
  v6 e: i32 = call i32 builtin fshl(v5, v1, i32 5) st0
  v7 f: i64 = copy i64 7 st0
  v8 g: i1 = copy i1 0 st0
  v9 h: i64 = copy i64 -1 st0
  v10 i: i64 = copy i64 0 st0
  v11 j: f64 = call f64 builtin fmuladd(v2, v2, f64 1.0) st0
  v12 k: i32 = fptosi.sat v11 st0
  v13 l: f64 = fadd v11, v2 st0
  v14 m: i1 = folt v13, v2 st0
  v15: f16 = fptrunc v13 st0
  v16 n: i16 = bitcast v15 st0
  v17: f16 = bitcast v16 st0
  v18 o: f32 = fpext v17 st0
  v19 q: ptr = copy ptr undef st0
  v20 r: ptr = copy ptr @tls st0
  call void builtin nop() st0
  v21 s: i32 = call i32 @llvm.x86.strange.thing(v12) st0
  v22 t: i32 = call i32 builtin smax(v21, v6) st0
  v23 u: i64 = call i64 @llvm.read_register.i64() st0
  v24: ptr = offset v0, 0, i64 8 * 1 st0
  v25: i32 = load v24 align 4 st0
  v26 v: ptr = offset v0, 0, v25 * 1 st0
  return v22 st0
}
function @llvm.x86.strange.thing external (v0: i32) -> i32
function @llvm.read_register.i64 external (v0: opaque) -> i64
statement st0 @f b0
