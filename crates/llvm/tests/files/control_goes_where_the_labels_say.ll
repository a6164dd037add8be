@table = global [2 x ptr] [ptr blockaddress(@f, %"two words"), ptr blockaddress(@f, %3)]

define i32 @f(i32 %0, ptr %where) {
  switch i32 %0, label %3 [
    i32 1, label %2
    i32 -1, label %"two words"
  ], !prof !0

2:                                                ; preds = %1
  %x = phi i32 [ %0, %1 ], [ 5, %3 ]
  indirectbr ptr %where, [label %3, label %"two words"]

3:                                                ; preds = %1, %2
  %y = phi i32 [ 0, %1 ], [ %x, %2 ], !dbg !0
  switch i1 true, label %done [ i1 false, label %2 i1 true, label %done ]

"two words":                                      ; preds = %1, %2
  unreachable

done:
  br label %later
out:
  %late = add i32 %early, 1
  br i1 true, label %end, label %again
again:
  br label %end
end:
  ret i32 %late
later:
  %early = add i32 1, 2
  br label %out
}

!0 = !{}

; gives
module "case.ll" i128 8
global @table external: [2 x ptr] align 8 = [2 x ptr] {ptr block(@f, b3), ptr block(@f, b2)}
function @f external (v0: i32, v1 where: ptr) -> i32 {
b0:
  switch v0, b2 [1: b1, 4294967295: b3] st0
b1:
  v2 x: i32 = phi b0 v0, b2 i32 5 st1
  indirectjump v1 [b2, b3] st1
b2:
  v3 y: i32 = phi b0 i32 0, b1 v2 st2
  switch i1 1, b4 [0: b1, 1: b4] st2
b3 "two words":
  unreachable st3
b4 done:
  jump b8 st4
b5 out:
  v5 late: i32 = add v4, i32 1 st5
  branch i1 1, b7, b6 st5
b6 again:
  jump b7 st6
b7 end:
  return v5 st7
b8 later:
  v4 early: i32 = add i32 1, i32 2 st8
  jump b5 st8
}
statement st0 @f b0
statement st1 @f b1
statement st2 @f b2
statement st3 @f b3
statement st4 @f b4
statement st5 @f b5
statement st6 @f b6
statement st7 @f b7
statement st8 @f b8
