;; Dot products of one query with a block of vectors. Assembled into dot-kernel-code.ts by `npx tsx index-data/build/dot-kernel.ts`.
(module
  (memory (export "memory") 1)

  ;; out[i] = sum over c of query[c] * rows[i * stride + c], for $count rows; all in wrapping 32-bit integers.
  ;; $query: address of $stride 16-bit values. $rows: address of $count rows of $stride 8-bit values.
  ;; $stride: a multiple of 16. $count: a multiple of 4. $out: address of $count 32-bit values.
  (func (export "dots")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $rowsEnd i32) (local $column i32) (local $queryAt i32)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $part v128)
    (local.set $rowsEnd (i32.add (local.get $rows) (i32.mul (local.get $count) (local.get $stride))))
    (block $done
      (loop $nextRows
        (br_if $done (i32.ge_u (local.get $rows) (local.get $rowsEnd)))
        ;; Four rows at once: each part of the query is loaded once for all of them.
        (local.set $row0 (local.get $rows))
        (local.set $row1 (i32.add (local.get $row0) (local.get $stride)))
        (local.set $row2 (i32.add (local.get $row1) (local.get $stride)))
        (local.set $row3 (i32.add (local.get $row2) (local.get $stride)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $queryAt (local.get $query))
        (local.set $column (local.get $stride))
        (loop $nextColumns
          (local.set $part (v128.load (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $row0)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $row3)))))
          (local.set $part (v128.load offset=16 (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $row0)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $row3)))))
          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 32)))
          (local.set $row0 (i32.add (local.get $row0) (i32.const 16)))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (local.set $column (i32.sub (local.get $column) (i32.const 16)))
          (br_if $nextColumns (local.get $column)))
        ;; Lanes are added crosswise until lane i of one vector is the whole sum of row i.
        (local.set $sum0 (call $fold (local.get $sum0) (local.get $sum2)))
        (local.set $sum1 (call $fold (local.get $sum1) (local.get $sum3)))
        (v128.store (local.get $out)
          (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $sum0) (local.get $sum1))
            (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $sum0) (local.get $sum1))))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $rows (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.const 4))))
        (br $nextRows))))

  ;; Halves: lanes 0 and 1 hold the sums of $a, lanes 2 and 3 those of $b.
  (func $fold (param $a v128) (param $b v128) (result v128)
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b)))))
