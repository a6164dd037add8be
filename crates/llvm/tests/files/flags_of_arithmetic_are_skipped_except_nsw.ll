define i32 @ints(i32 %a, i32 %b) {
entry:
  %0 = add nuw nsw i32 %a, %b
  %1 = sub i32 %0, 1
  %2 = mul nsw i32 %1, -3
  %3 = udiv exact i32 %2, %b
  %4 = sdiv i32 %3, 7
  %5 = urem i32 %4, %a
  %6 = srem i32 %5, 5
  %7 = shl nuw i32 %6, 2
  %8 = lshr exact i32 %7, 1
  %9 = ashr i32 %8, 1
  %10 = and i32 %9, 255
  %11 = or disjoint i32 %10, 256
  %12 = xor newflag(1) i32 %11, -1
  %13 = icmp samesign ult i32 %12, %a
  %14 = zext nneg i1 %13 to i32
  %15 = trunc nuw nsw i32 %14 to i8
  %16 = sext i8 %15 to i32
  %17 = select i1 %13, i32 %16, i32 %12
  %18 = freeze i32 %17
  ret i32 %18
}

define double @floats(double %a, float %b) {
  %c = fpext float %b to double
  %d = fadd fast double %a, %c
  %e = fsub nnan ninf nsz double %d, 1.0
  %f = fmul reassoc contract double %e, 2.5
  %g = fdiv arcp double %f, 0x4008000000000000
  %h = frem double %g, %a
  %i = fneg double %h
  %j = fcmp nnan uno double %i, %a
  %k = fptosi double %i to i64
  %l = uitofp nneg i64 %k to double
  %m = select fast i1 %j, double %l, double %i
  %n = fptrunc double %m to float
  %o = fpext float %n to double
  ret double %o
}

; gives
module "case.ll" i128 8
function @ints external (v0 a: i32, v1 b: i32) -> i32 {
b0 entry:
  v2: i32 = add nsw v0, v1 st0
  v3: i32 = sub v2, i32 1 st0
  v4: i32 = mul nsw v3, i32 -3 st0
  v5: i32 = udiv v4, v1 st0
  v6: i32 = sdiv v5, i32 7 st0
  v7: i32 = urem v6, v0 st0
  v8: i32 = srem v7, i32 5 st0
  v9: i32 = shl v8, i32 2 st0
  v10: i32 = lshr v9, i32 1 st0
  v11: i32 = ashr v10, i32 1 st0
  v12: i32 = and v11, i32 255 st0
  v13: i32 = or v12, i32 256 st0
  v14: i32 = xor v13, i32 -1 st0
  v15: i1 = ult v14, v0 st0
  v16: i32 = zext v15 st0
  v17: i8 = trunc v16 st0
  v18: i32 = sext v17 st0
  v19: i32 = select v15, v18, v14 st0
  v20: i32 = copy v19 st0
  return v20 st0
}
function @floats external (v0 a: f64, v1 b: f32) -> f64 {
b0:
  v2 c: f64 = fpext v1 st1
  v3 d: f64 = fadd v0, v2 st1
  v4 e: f64 = fsub v3, f64 1.0 st1
  v5 f: f64 = fmul v4, f64 2.5 st1
  v6 g: f64 = fdiv v5, f64 3.0 st1
  v7 h: f64 = frem v6, v0 st1
  v8 i: f64 = fneg v7 st1
  v9 j: i1 = funo v8, v0 st1
  v10 k: i64 = fptosi v8 st1
  v11 l: f64 = uitofp v10 st1
  v12 m: f64 = select v9, v11, v8 st1
  v13 n: f32 = fptrunc v12 st1
  v14 o: f64 = fpext v13 st1
  return v14 st1
}
statement st0 @ints b0
statement st1 @floats b0
