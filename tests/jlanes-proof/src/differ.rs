//! Explanation of a difference: where two terms differ, and for which values.

use std::{
    collections::HashSet,
    fmt::{self, Write as _},
};

use crate::{
    equal::{meeting, operands},
    term::{Arena, Node, Term, with},
};

/// Compares terms with those of a standard. The error shows the smallest pair of subterms that differ.
///
/// # Errors
/// If a pair is not proved to be equal.
///
/// # Panics
/// If there are different numbers of both.
pub fn compare(what: &str, found: &[Term], expected: &[Term]) -> Result<(), String> {
    assert_eq!(found.len(), expected.len(), "{what}");
    let pairs = found.iter().zip(expected).enumerate();
    match pairs.into_iter().find(|(_, (found, expected))| found != expected) {
        None => Ok(()),
        Some((i, (found, expected))) => {
            let text = with(|arena| describe(arena, *found, *expected)).unwrap_or_default();
            Err(format!("{what}: word {i} is another one; the smallest difference is\n{text}"))
        }
    }
}

fn describe(arena: &Arena, found: Term, expected: Term) -> Result<String, fmt::Error> {
    let (found, expected) = smallest(arena, found, expected);
    let values = arena.values(found).into_iter().zip(arena.values(expected));
    let mut text = String::new();
    for (name, term) in [("found", found), ("expected", expected)] {
        write!(text, "  {name}: ")?;
        write_term(arena, &mut text, term, 4)?;
        writeln!(text)?;
    }
    match values.into_iter().position(|(a, b)| a != b) {
        Some(sample) => {
            writeln!(text, "  where")?;
            for leaf in leaves(arena, &[found, expected], 4) {
                write!(text, "    ")?;
                write_term(arena, &mut text, leaf, 0)?;
                writeln!(text, " = {:#x}", arena.values(leaf)[sample])?;
            }
            let [found, expected] = [found, expected].map(|term| arena.values(term)[sample]);
            writeln!(text, "  they are {found:#x} and {expected:#x}")?;
        }
        None => writeln!(text, "  no values are known that tell them apart")?,
    }
    Ok(text)
}

/// The smallest pair of subterms that differ, in the same place of both terms.
fn smallest(arena: &Arena, mut a: Term, mut b: Term) -> (Term, Term) {
    let mut seen = HashSet::new();
    while seen.insert((a, b)) {
        let ([mut left, mut right], even) = parts(arena, a, b);
        let common = |t: &Term, of: &[Term]| of.contains(t);
        let both: Vec<_> = left.iter().filter(|t| common(t, &right)).copied().collect();
        left.retain(|t| !both.contains(t));
        right.retain(|t| !both.contains(t));
        if !even || left.len() != right.len() || left.is_empty() {
            break;
        }
        // the lowest ones are next to the origin of the difference
        left.sort_by_key(|t| arena.heights[t.0 as usize]);
        right.sort_by_key(|t| arena.heights[t.0 as usize]);
        let kind = |t: &Term| std::mem::discriminant(arena.node(*t));
        let differ = |a: &Term, b: &Term| arena.values(*a) != arena.values(*b);
        let alike = left.iter().zip(&right).find(|(a, b)| kind(a) == kind(b) && differ(a, b));
        let Some((x, y)) = alike else { break };
        (a, b) = (*x, *y);
    }
    (a, b)
}

/// The operands of two terms, and whether both terms do the same with them.
fn parts(arena: &Arena, a: Term, b: Term) -> ([Vec<Term>; 2], bool) {
    match (arena.node(a), arena.node(b)) {
        (Node::Sum(x, n), Node::Sum(y, m)) => {
            let only = |x: &[(Term, u64)], y: &[(Term, u64)]| -> Vec<_> {
                x.iter().filter(|part| !y.contains(part)).map(|(term, _)| *term).collect()
            };
            ([only(x, y), only(y, x)], n == m)
        }
        (Node::Rotr(x, n), Node::Rotr(y, m)) | (Node::Shr(x, n), Node::Shr(y, m)) => {
            ([vec![*x], vec![*y]], n == m)
        }
        (
            Node::And(..) | Node::Or(..) | Node::Xor(..),
            Node::And(..) | Node::Or(..) | Node::Xor(..),
        ) => {
            let common = meeting(arena, a, b, 6);
            let [x, y] = [a, b].map(|term| {
                let (mut leaves, mut todo) = (Vec::new(), vec![((term, 0), 6)]);
                while let Some((turned, depth)) = todo.pop() {
                    let inner = operands(arena, turned);
                    if depth == 0 || common.contains(&turned) || inner.is_empty() {
                        leaves.push(turned);
                    } else {
                        todo.extend(inner.into_iter().map(|turned| (turned, depth - 1)));
                    }
                }
                leaves.sort_unstable();
                leaves.dedup();
                leaves
            });
            let only = |x: &[(Term, u32)], y: &[(Term, u32)]| -> Vec<_> {
                x.iter().filter(|leaf| !y.contains(leaf)).copied().collect()
            };
            let (x, y) = (only(&x, &y), only(&y, &x));
            let turns = |x: &[(Term, u32)]| -> Vec<u32> {
                let mut turns: Vec<_> = x.iter().map(|leaf| leaf.1).collect();
                turns.sort_unstable();
                turns
            };
            let even = turns(&x) == turns(&y);
            ([x, y].map(|leaves| leaves.into_iter().map(|leaf| leaf.0).collect()), even)
        }
        _ => ([Vec::new(), Vec::new()], false),
    }
}

/// The subterms at `depth` operations below `terms`, which the output shows by number.
fn leaves(arena: &Arena, terms: &[Term], depth: u32) -> Vec<Term> {
    let mut leaves = Vec::new();
    let mut todo: Vec<_> = terms.iter().map(|term| (*term, depth)).collect();
    while let Some((term, depth)) = todo.pop() {
        match arena.node(term) {
            Node::Constant(_) => {}
            Node::Input { .. } => leaves.push(term),
            _ if depth == 0 => leaves.push(term),
            Node::Sum(terms, _) => todo.extend(terms.iter().map(|(term, _)| (*term, depth - 1))),
            Node::And(a, b) | Node::Or(a, b) | Node::Xor(a, b) => {
                todo.extend([(*a, depth - 1), (*b, depth - 1)]);
            }
            Node::Rotr(a, _) | Node::Shr(a, _) => todo.push((*a, depth - 1)),
        }
    }
    leaves.sort_unstable();
    leaves.dedup();
    leaves
}

/// The maximum number of summands in the output.
const MOST: usize = 8;

/// Writes `term`. Subterms deeper than `depth` are shown by number.
fn write_term(arena: &Arena, out: &mut String, term: Term, depth: u32) -> fmt::Result {
    let operands = |out: &mut String, a: Term, between: &str, b: Term| {
        out.push('(');
        write_term(arena, out, a, depth - 1)?;
        out.push_str(between);
        write_term(arena, out, b, depth - 1)?;
        out.push(')');
        Ok(())
    };
    match arena.node(term) {
        Node::Input { name, index, lane } => write!(out, "{name}[{index}] of lane {lane}"),
        Node::Constant(word) => write!(out, "{word:#x}"),
        _ if depth == 0 => write!(out, "term {}", term.0),
        Node::And(a, b) => operands(out, *a, " & ", *b),
        Node::Or(a, b) => operands(out, *a, " | ", *b),
        Node::Xor(a, b) => operands(out, *a, " ^ ", *b),
        Node::Rotr(a, n) | Node::Shr(a, n) => {
            let name = if matches!(arena.node(term), Node::Shr(..)) { "shr" } else { "rotr" };
            write!(out, "{name}(")?;
            write_term(arena, out, *a, depth - 1)?;
            write!(out, ", {n})")
        }
        Node::Sum(terms, constant) => {
            write!(out, "({constant:#x}")?;
            for (term, factor) in terms.iter().take(MOST) {
                out.push_str(" + ");
                if *factor != 1 {
                    write!(out, "{factor:#x} * ")?;
                }
                write_term(arena, out, *term, depth - 1)?;
            }
            if terms.len() > MOST {
                write!(out, " + {} others", terms.len() - MOST)?;
            }
            out.push(')');
            Ok(())
        }
    }
}
