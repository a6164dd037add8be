source_filename = "x.c"
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
module asm ".globl nothing"

$shared = comdat any

@plain = dso_local global i32 1, align 4
@fixed = private unnamed_addr constant [2 x i8] c"a\00", align 1
@hidden_one = hidden local_unnamed_addr global i64 0, section ".data.rel", align 8
@tls = internal thread_local(localexec) global i32 3, align 4
@weak_one = weak_odr global i8 1, comdat($shared), align 1
@tentative = common global [3 x i32] zeroinitializer, align 16
@missing = extern_weak global i8
@there = external dso_local constant i128, !some !0
@inlined = available_externally constant i8 2
@guarded = global i32 0, no_sanitize_address, partition "p", code_model "large", align 32, !dbg !1
@0 = private constant i8 7
@"quoted \22name" = global ptr @0
@"\01_raw" = global ptr @"quoted \22name"
@llvm.used = appending global [1 x ptr] [ptr @plain], section "llvm.metadata"
@llvm.compiler.used = appending global [1 x ptr] [ptr @tls], section "llvm.metadata"

attributes #0 = { nounwind "a"="b" }
!0 = !{}
!1 = !DIGlobalVariableExpression(var: !2, expr: !DIExpression())
!2 = distinct !DIGlobalVariable(name: "guarded", scope: !3, file: !4, line: 12, type: !5, isLocal: false, isDefinition: true)
!3 = distinct !DICompileUnit(language: DW_LANG_C11, file: !4, producer: "p (v, 1)", isOptimized: false, emissionKind: FullDebug)
!4 = !DIFile(filename: "dir/x.c", directory: "/home")
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
^0 = module: (path: "x.o", hash: (0, 0, 0, 0, 0))

; gives
module "case.ll" i128 16
file0 = "/home" "dir/x.c"
scope0 = file0:0
d0 = base "int" 32 signed
global @plain external: i32 align 4 = i32 1
global @fixed internal: [2 x i8] align 1 constant = [2 x i8] bytes "a\x00"
global @hidden_one external: i64 align 8 = i64 0
global @tls internal: i32 align 4 thread_local = i32 3
global @weak_one weak: i8 align 1 = i8 1
global @tentative common: [3 x i32] align 16 = [3 x i32] zero
global @missing extern_weak: i8 align 1
global @there external: i128 align 16 constant
global @inlined available_externally: i8 align 1 constant = i8 2
global @guarded external: i32 align 32 source "guarded" type d0 @ 12:0 scope0 = i32 0
global @0 internal: i8 align 1 constant = i8 7
global @"quoted \"name" external: ptr align 8 = ptr @0
global @_raw external: ptr align 8 = ptr @"quoted \"name"
