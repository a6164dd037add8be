define i32 @old_form(i32 %x) !dbg !4 {
entry:
  %x.addr = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
  call void @llvm.dbg.declare(metadata ptr %x.addr, metadata !7, metadata !DIExpression()), !dbg !8
  call void @llvm.dbg.value(metadata i32 %x, metadata !9, metadata !DIExpression()), !dbg !8
  call void @llvm.dbg.value(metadata !DIArgList(i32 %x, i32 4), metadata !9, metadata !DIExpression(DW_OP_LLVM_arg, 0)), !dbg !8
  %r = load i32, ptr %x.addr, align 4, !dbg !10
  ret i32 %r, !dbg !10
}

define i32 @new_form(i32 %x) !dbg !11 {
entry:
  %x.addr = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
    #dbg_declare(ptr %x.addr, !12, !DIExpression(), !13)
    #dbg_value(i32 %x, !14, !DIExpression(), !13)
    #dbg_value(i32 5, !14, !DIExpression(), !13)
    #dbg_value(!DIArgList(i32 %x, i32 4), !14, !DIExpression(DW_OP_LLVM_arg, 0), !13)
    #dbg_assign(i1 poison, !14, !DIExpression(), !0, ptr %x.addr, !DIExpression(), !13)
    #dbg_label(!15, !13)
  %r = load i32, ptr %x.addr, align 4, !dbg !16
  ret i32 %r, !dbg !20
}

declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)

!llvm.dbg.cu = !{!1}
!0 = distinct !DIAssignID()
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "p", isOptimized: false, emissionKind: FullDebug)
!2 = !DIFile(filename: "a \22b\22.c", directory: "/d", checksumkind: CSK_MD5, checksum: "00")
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = distinct !DISubprogram(name: "old_form", scope: !2, file: !2, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !1)
!5 = !DISubroutineType(types: !6)
!6 = !{!3, !3}
!7 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !2, line: 1, type: !3)
!8 = !DILocation(line: 1, column: 18, scope: !4)
!9 = !DILocalVariable(name: "copy", scope: !4, file: !2, line: 2, type: !3)
!10 = !DILocation(line: 3, column: 9, scope: !4)
!11 = distinct !DISubprogram(name: "new_form", scope: !2, file: !2, line: 10, type: !5, scopeLine: 10, spFlags: DISPFlagDefinition, unit: !1)
!12 = !DILocalVariable(name: "x", arg: 1, scope: !11, file: !2, line: 10, type: !3)
!13 = !DILocation(line: 10, column: 18, scope: !11)
!14 = !DILocalVariable(name: "copy", scope: !11, file: !2, line: 11, type: !3)
!15 = !DILabel(scope: !11, name: "l", file: !2, line: 11)
!16 = !DILocation(line: 3, column: 9, scope: !17, inlinedAt: !18)
!17 = distinct !DILexicalBlock(scope: !4, file: !2, line: 2, column: 3)
!18 = distinct !DILocation(line: 12, column: 5, scope: !19)
!19 = !DILexicalBlockFile(scope: !11, file: !2, discriminator: 2)
!20 = !DILocation(line: 13, column: 1, scope: !11, atomGroup: 1, atomRank: 2)

; gives
module "case.ll" i128 8
file0 = "/d" "a \"b\".c"
scope0 = file0:1 function "old_form"
scope1 = file0:10 function "new_form"
scope2 = file0:10 in scope1
scope3 = file0:1 function "old_form" inlined @ 12:5 scope2
scope4 = file0:2 in scope3
d0 = function d1 d1
d1 = base "int" 32 signed
function @old_form external (v0 x: i32) -> i32 source "old_form" type d0 @ 1:0 scope0 {
  value v1 x.addr: ptr
  slot s0 x: i32
  variable "x" type d1 scope scope0 line 1 parameter 1 slot s0
  variable "copy" type d1 scope scope0 line 2 value v0
  variable "copy" type d1 scope scope0 line 2 unknown
b0 entry:
  write s0, v0 st0
  v2 r: i32 = read s0 @ 3:9 scope0 st1
  return v2 @ 3:9 scope0 st1
}
function @new_form external (v0 x: i32) -> i32 source "new_form" type d0 @ 10:0 scope1 {
  value v1 x.addr: ptr
  slot s0 x: i32
  variable "x" type d1 scope scope1 line 10 parameter 1 slot s0
  variable "copy" type d1 scope scope1 line 11 value v0
  variable "copy" type d1 scope scope1 line 11 unknown
  variable "copy" type d1 scope scope1 line 11 slot s0
b0 entry:
  write s0, v0 st2
  v2 r: i32 = read s0 @ 3:9 scope4 st3
  return v2 @ 13:1 scope1 st4
}
statement st0 @old_form b0 @ 1:0 scope0
statement st1 @old_form b0 @ 3:9 scope0
statement st2 @new_form b0 @ 10:0 scope1
statement st3 @new_form b0 @ 3:9 scope4
statement st4 @new_form b0 @ 13:1 scope1
