define i32 @f(ptr %p, i64 %n) {
  %vla = alloca i32, i64 %n, align 16
  %one = alloca inalloca i8, align 1, addrspace(0)
  %a = load volatile i32, ptr %p, align 4
  %b = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4, !range !0
  store volatile i32 %a, ptr %vla, align 4
  store atomic i32 %b, ptr %p release, align 4
  %c = cmpxchg weak volatile ptr %p, i32 %a, i32 %b syncscope("agent") acq_rel monotonic, align 4
  %d = extractvalue { i32, i1 } %c, 0
  %e = atomicrmw volatile umax ptr %p, i32 %d seq_cst, align 4
  %f = atomicrmw xchg ptr %p, ptr %vla monotonic
  %g = atomicrmw fadd ptr %p, float 1.0 monotonic
  fence syncscope("singlethread") seq_cst
  fence acquire
  store ptr %f, ptr %p
  ret i32 %e
}

define ptr @offsets({ i8, [4 x { i16, i32 }] }* %p, i32 %i, i128 %j) {
  %a = getelementptr inbounds nuw { i8, [4 x { i16, i32 }] }, ptr %p, i64 1, i32 1, i32 %i, i32 1
  %b = getelementptr i64, ptr %a, i128 %j
  %c = getelementptr i8, ptr %b, i64 0
  %d = getelementptr <4 x i32>, ptr %c, i8 -1, i64 3
  ret ptr %d
}

define <2 x ptr> @many(ptr %p, <2 x i64> %i) {
  %a = getelementptr i32, ptr %p, <2 x i64> %i
  ret <2 x ptr> %a
}

!0 = !{i32 0, i32 10}

; gives
module "case.ll" i128 8
function @f external (v0 p: ptr, v1 n: i64) -> i32 {
  value v3 one: ptr
  slot s0 one: i8
b0:
  v2 vla: ptr = alloca i32, v1 align 16 st0
  v4 a: i32 = load v0 align 4 volatile st0
  v5 b: i32 = load v0 align 4 atomic st0
  store v2, v4 align 4 volatile st0
  store v0, v5 align 4 atomic st0
  v6 c: {i32, i1} = cmpxchg v0, v4, v5 align 4 volatile atomic st0
  v7 d: i32 = extractvalue v6, 0 st0
  v8 e: i32 = rmw umax v0, v7 align 4 volatile atomic st0
  v9 f: ptr = rmw xchg v0, v2 atomic st0
  v10 g: f32 = rmw fadd v0, f32 1.0 atomic st0
  fence st0
  fence st0
  store v0, v9 st0
  return v8 st0
}
function @offsets external (v0 p: ptr, v1 i: i32, v2 j: i128) -> ptr {
b0:
  v3 a: ptr = offset v0, 44, v1 * 8 st1
  v4 b: ptr = offset wraps v3, 0, v2 * 8 st1
  v5 d: ptr = offset wraps v4, -4 st1
  return v5 st1
}
function @many external (v0 p: ptr, v1 i: <2 x i64>) -> <2 x ptr> {
b0:
  v2 a: <2 x ptr> = offset wraps v0, 0, v1 * 4 st2
  return v2 st2
}
statement st0 @f b0
statement st1 @offsets b0
statement st2 @many b0
