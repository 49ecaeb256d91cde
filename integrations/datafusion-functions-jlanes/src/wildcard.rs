//! `*` as an argument of functions of whole rows: every column of the input, in its order.

use std::mem;

use datafusion_common::{
    DFSchema, Result, config::ConfigOptions, plan_err, tree_node::Transformed,
};
use datafusion_expr::{Expr, expr::WildcardOptions, expr_rewriter::FunctionRewrite};

/// The functions with any number of columns.
const NAMES: [&str; 3] = ["jl_row_digest", "jl_row_digest_hex", "jl_table_fingerprint"];

/// Replaces `*` by columns. DataFusion itself does that only in `count(*)` and in select lists.
#[derive(Debug)]
pub(crate) struct Wildcards;

impl FunctionRewrite for Wildcards {
    fn name(&self) -> &str {
        "jlanes_wildcards"
    }

    fn rewrite(
        &self,
        mut expr: Expr,
        schema: &DFSchema,
        _: &ConfigOptions,
    ) -> Result<Transformed<Expr>> {
        let (name, args) = match &mut expr {
            Expr::ScalarFunction(call) => (call.func.name(), &mut call.args),
            Expr::AggregateFunction(call) => (call.func.name(), &mut call.params.args),
            _ => return Ok(Transformed::no(expr)),
        };
        if !name.starts_with("jl_") || !args.iter().any(is_wildcard) {
            return Ok(Transformed::no(expr));
        }
        if !NAMES.contains(&name) {
            return plan_err!("{name}: '*' is every column, and the function takes one: name it");
        }
        let mut columns = Vec::new();
        for argument in mem::take(args) {
            if is_wildcard(&argument) {
                columns.extend(expand(name, &argument, schema)?);
            } else {
                columns.push(argument);
            }
        }
        *args = columns;
        Ok(Transformed::yes(expr))
    }
}

#[expect(deprecated, reason = "the arguments of functions still have it")]
fn is_wildcard(expr: &Expr) -> bool {
    matches!(expr, Expr::Wildcard { .. })
}

/// The columns of a wildcard.
#[expect(deprecated, reason = "the arguments of functions still have it")]
fn expand(function: &str, wildcard: &Expr, schema: &DFSchema) -> Result<Vec<Expr>> {
    let Expr::Wildcard { qualifier, options } = wildcard else { return Ok(Vec::new()) };
    if **options != WildcardOptions::default() {
        return plan_err!("{function}: '*' has no options here: name the columns");
    }
    let of_table = schema.iter().filter(|(table, _)| match (qualifier, table) {
        (Some(wanted), Some(table)) => wanted.resolved_eq(table),
        (wanted, _) => wanted.is_none(),
    });
    let columns: Vec<Expr> = of_table.map(|column| Expr::Column(column.into())).collect();
    match (columns.is_empty(), qualifier) {
        (true, Some(table)) => plan_err!("{function}: there is no column of {table}"),
        (true, None) => plan_err!("{function}: '*' needs a table"),
        (false, _) => Ok(columns),
    }
}
