; Random kernels: the same seed gives the same file, -O0 and -O3 agree, and a transform that is wrong is caught.
; RUN: %gen 5 --count=3 -o %t.a && %gen 5 --count=3 -o %t.b && cmp %t.a %t.b
; RUN: %python %S/../gen/agree.py --sim %sim 0 79 --jobs 1 | %FileCheck %s
; CHECK: 80 of 80 kernels agree
; RUN: %python %S/../gen/agree.py --sim %sim 0 19 --jobs 1 --rewrite '%opt -passes=mem2reg {in} -o {out}' --level=-O0 | %FileCheck %s --check-prefix=SAME
; SAME: 20 of 20 kernels agree
; A rewrite that drops barriers:
; RUN: %not %python %S/../gen/agree.py --sim %sim 0 19 --jobs 1 --family=tile --rewrite '%python %S/../gen/break.py %opt-plain barrier {in} {out}' > %t.log
; RUN: %FileCheck %s --check-prefix=BARRIER < %t.log
; BARRIER: tile {{ *}}fault
; One that adds where the program subtracts:
; RUN: %not %python %S/../gen/agree.py --sim %sim 0 19 --jobs 1 --family=mixed --rewrite '%python %S/../gen/break.py %opt-plain arithmetic {in} {out}' > %t.log
; RUN: %FileCheck %s --check-prefix=BYTES < %t.log
; BYTES: mixed {{ *}}different bytes
