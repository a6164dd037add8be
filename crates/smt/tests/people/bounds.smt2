; Bounds of a variable are joined, and what always holds is left out.
;: arg2 signed 1..9999
;: x signed
;: u unsigned
(declare-const arg2 (_ BitVec 32))
(declare-const x (_ BitVec 32))
(declare-const u (_ BitVec 32))

; what the space says anyway is left out
(push)
(assert (bvsle #x00000001 arg2))
(assert (bvsle arg2 #x0000270f))
(check-sat)
;= true
(pop)

; weaker bounds are left out
(push)
(assert (bvslt #x00000000 x))
(assert (bvsle #x00000005 x))
(assert (bvslt x #x00000064))
(assert (bvslt x #x00000032))
(check-sat)
;= 5 ≤ x < 50
(pop)

; bounds that meet are a value
(push)
(assert (bvsle #x00000005 arg2))
(assert (bvsle arg2 #x00000005))
(check-sat)
;= arg2 = 5
(pop)

; exceptions are kept beside bounds
(push)
(assert (bvsle arg2 #x00000064))
(assert (distinct arg2 #x00000007))
(check-sat)
;= arg2 ≤ 100 ∧ arg2 ≠ 7
(pop)

; an unsigned comparison of a signed number excludes the negative ones
(push)
(assert (bvult x #x0000000a))
(assert (bvult u #x0000000a))
(check-sat)
;= 0 ≤ x < 10 ∧ u < 10
(pop)

; equalities first, then bounds, then exceptions, then what is computed
(push)
(assert (bvslt (bvadd x (bvmul u arg2)) #x00000064))
(assert (distinct u #x00000003))
(assert (bvslt #x00000003 x))
(assert (= arg2 #x00000009))
(check-sat)
;= arg2 = 9 ∧ 3 < x ∧ u ≠ 3 ∧ x + arg2 · u < 100
(pop)

; bounds of what is computed are joined as well
(push)
(assert (bvsle #x00000001 (bvadd x u)))
(assert (bvslt (bvadd x u) #x00000009))
(check-sat)
;= 1 ≤ x + u < 9
(pop)

; few values are listed
(push)
(assert (or (= x #x00000001) (= x #x00000005) (= x #x00000009)))
(check-sat)
;= x ∈ {1, 5, 9}
(pop)

; what is compared as unsigned although it has a sign is marked
(push)
(assert (bvult x (bvadd x u)))
(check-sat)
;= unsigned(x) < unsigned(x + u)
(pop)

; contradictions are told as such
(push)
(assert (bvslt x #x00000001))
(assert (bvslt #x00000001 x))
(check-sat)
;= false
(pop)
