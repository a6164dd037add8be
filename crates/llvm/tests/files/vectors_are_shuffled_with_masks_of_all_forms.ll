define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b, i32 %i) {
  %c = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 5, i32 undef, i32 poison>
  %d = shufflevector <4 x i32> %c, <4 x i32> poison, <2 x i32> zeroinitializer
  %e = shufflevector <2 x i32> %d, <2 x i32> undef, <4 x i32> splat (i32 1)
  %f = shufflevector <4 x i32> %e, <4 x i32> %e, <4 x i32> undef
  %g = extractelement <4 x i32> %f, i32 %i
  %h = insertelement <4 x i32> %f, i32 %g, i64 2
  %j = icmp sgt <4 x i32> %h, zeroinitializer
  %k = select <4 x i1> %j, <4 x i32> %h, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %l = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %k)
  %m = insertelement <4 x i32> poison, i32 %l, i32 0
  ret <4 x i32> %m
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

; gives
module "case.ll" i128 8
function @f external (v0 a: <4 x i32>, v1 b: <4 x i32>, v2 i: i32) -> <4 x i32> {
b0:
  v3 c: <4 x i32> = shuffle v0, v1, [0, 5, any, any] st0
  v4 d: <2 x i32> = shuffle v3, <4 x i32> undef, [0, 0] st0
  v5 e: <4 x i32> = shuffle v4, <2 x i32> undef, [1, 1, 1, 1] st0
  v6 f: <4 x i32> = shuffle v5, v5, [any, any, any, any] st0
  v7 g: i32 = extractelement v6, v2 st0
  v8 h: <4 x i32> = insertelement v6, v7, i64 2 st0
  v9 j: <4 x i1> = sgt v8, <4 x i32> zero st0
  v10 k: <4 x i32> = select v9, v8, <4 x i32> {i32 1, i32 2, i32 3, i32 4} st0
  v11 l: i32 = call i32 builtin reduce.add(v10) st0
  v12 m: <4 x i32> = insertelement <4 x i32> undef, v11, i32 0 st0
  return v12 st0
}
statement st0 @f b0
