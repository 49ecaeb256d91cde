//! Repetition with literal indices.

/// Repeats a block with `$i` from 0 to a literal number. In a loop, unrolling would be up to the
/// compiler, and with it whether a message schedule stays in registers (1 to 6 % of SHA-256's time).
///
/// With debug assertions it is a loop: nobody measures such a build, and everything that a kernel
/// calls is inlined, so unrolling would multiply its machine code by sixteen.
macro_rules! unroll {
    ($n:tt, $i:ident => $body:block) => {
        #[cfg(debug_assertions)]
        for $i in 0..$n $body
        #[cfg(not(debug_assertions))]
        unroll!(@$n $i $body);
    };
    (@2 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1)
    };
    (@3 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2)
    };
    (@4 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3)
    };
    (@5 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4)
    };
    (@7 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4 5 6)
    };
    (@8 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4 5 6 7)
    };
    (@10 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4 5 6 7 8 9)
    };
    (@12 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    (@16 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@20 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
    };
    (@25 $i:ident $body:block) => {
        unroll!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    (@ $i:ident $body:block $($n:literal)*) => {
        $({ let $i: usize = $n; $body })*
    };
}
pub(crate) use unroll;
