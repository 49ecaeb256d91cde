//! What the program can print about itself.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Args, tune};

#[derive(Debug, Default, clap::Args)]
pub(super) struct About {
    /// Print completions for SHELL
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,

    /// Print the manual page
    #[arg(long)]
    man: bool,
}

impl About {
    /// The text that was asked for, if any.
    pub(super) fn text(&self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        if let Some(shell) = self.completions {
            let mut command = tune(Args::command());
            let name = command.get_name().to_owned();
            clap_complete::generate(shell, &mut command, name, &mut text);
        } else if self.man {
            let page = clap_mangen::Man::new(tune(Args::command()));
            page.render(&mut text).expect("writing to memory does not fail");
        } else {
            return None;
        }
        Some(text)
    }
}
