//! Completions and the manual page. They are files in the source tree, and the tests compare them with
//! the options.

use clap::ValueEnum;

#[cfg(test)]
mod tests;

#[derive(Debug, Default, clap::Args)]
pub(super) struct ManualOptions {
    /// Print completions for SHELL
    #[arg(long, value_name = "SHELL", value_enum)]
    completions: Option<Shell>,

    /// Print the manual page
    #[arg(long)]
    man: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    #[value(name = "powershell")]
    Pwsh,
    Zsh,
}

impl ManualOptions {
    /// The requested text, if any.
    pub(super) fn text(&self) -> Option<&'static str> {
        match self.completions {
            Some(shell) => Some(completions(shell)),
            None => self.man.then_some(MANUAL),
        }
    }
}

/// The man page, as `--man` prints it.
const MANUAL: &str = include_str!("../../man/jlanes-sum.1");

fn completions(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("../../completions/jlanes-sum.bash"),
        Shell::Elvish => include_str!("../../completions/jlanes-sum.elv"),
        Shell::Fish => include_str!("../../completions/jlanes-sum.fish"),
        Shell::Pwsh => include_str!("../../completions/jlanes-sum.ps1"),
        Shell::Zsh => include_str!("../../completions/jlanes-sum.zsh"),
    }
}
