@node = global ptr null, !dbg !0
@matrix = global ptr null, !dbg !10
@mode = global i32 0, !dbg !20

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "node", scope: !2, file: !3, line: 3, type: !4, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "p", isOptimized: false, emissionKind: FullDebug)
!3 = !DIFile(filename: "a.c", directory: "/d")
!4 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!5 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 1, size: 192, elements: !6)
!6 = !{!7, !8, !9}
!7 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !5, file: !3, line: 1, baseType: !4, size: 64)
!8 = !DIDerivedType(tag: DW_TAG_member, name: "flag", scope: !5, file: !3, line: 1, baseType: !30, size: 3, offset: 64, flags: DIFlagBitField, extraData: i64 64)
!9 = !DIDerivedType(tag: DW_TAG_member, name: "either", scope: !5, file: !3, line: 1, baseType: !31, size: 64, offset: 128)
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(name: "matrix", scope: !2, file: !3, line: 4, type: !12, isLocal: true, isDefinition: true)
!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, elements: !14)
!13 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !32)
!14 = !{!15, !16, !17}
!15 = !DISubrange(count: 3, lowerBound: 0)
!16 = !DISubrange(count: -1)
!17 = !DISubrange(count: !18)
!18 = !DILocalVariable(name: "n", scope: !2, type: !30)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "mode", scope: !2, file: !3, line: 5, type: !22, isLocal: false, isDefinition: true)
!22 = !DIDerivedType(tag: DW_TAG_typedef, name: "mode_t", file: !3, line: 2, baseType: !23)
!23 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "mode", file: !3, line: 2, baseType: !30, size: 32, elements: !24)
!24 = !{!25, !26}
!25 = !DIEnumerator(name: "OFF", value: 0, isUnsigned: true)
!26 = !DIEnumerator(name: "ODD", value: -3)
!30 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!31 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !3, line: 1, size: 64, elements: !33)
!32 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!33 = !{!34, !35}
!34 = !DIDerivedType(tag: DW_TAG_member, name: "call", scope: !31, file: !3, line: 1, baseType: !36, size: 64)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "any", scope: !31, file: !3, line: 1, baseType: !37, size: 64)
!36 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !38, size: 64)
!37 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!38 = !DISubroutineType(types: !39)
!39 = !{null, !30, null}
!40 = !DIBasicType(name: "never reached", size: 8, encoding: DW_ATE_boolean)

; gives
module "case.ll" i128 8
file0 = "/d" "a.c"
scope0 = file0:0
d0 = pointer d6
d1 = array d4 3 none none
d2 = typedef "mode_t" d3
d3 = enum "mode" 32 {
  "OFF" 0
  "ODD" -3
}
d4 = qualified const d5
d5 = base "double" 64 float
d6 = struct "node" 192 {
  "next" d0 0 64
  "flag" d7 64 3 bit_field
  "either" d8 128 64
}
d7 = base "unsigned int" 32 unsigned
d8 = union "" 64 {
  "call" d9 0 64
  "any" d10 0 64
}
d9 = pointer d11
d10 = pointer none
d11 = function none d7 none
global @node external: ptr align 8 source "node" type d0 @ 3:0 scope0 = ptr null
global @matrix external: ptr align 8 source "matrix" type d1 @ 4:0 scope0 = ptr null
global @mode external: i32 align 4 source "mode" type d2 @ 5:0 scope0 = i32 0
