//! What the report was measured on.

use std::{fs, process::Command};

use jlanes::Backend;

use crate::{clock, measure::Samples};

/// The machine, as far as it says.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    /// The CPU's name.
    pub(super) cpu: String,
    /// Its features, caches and so on, each with its name.
    pub(super) facts: Vec<(&'static str, String)>,
}

impl Machine {
    /// This machine.
    #[must_use]
    pub(super) fn this() -> Self {
        let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name| {
            let line = cpu_info.lines().find(|line| line.starts_with(name));
            line.and_then(|line| line.split(": ").nth(1)).unwrap_or("unknown").to_owned()
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let clock = Samples((0..20).map(|_| clock::gigahertz()).collect());
        let backends: Vec<_> = Backend::available().map(|backend| backend.name()).collect();
        let id = ["cpu family", "model\t", "stepping"].map(field).join("-");
        let facts = vec![
            ("CPU family, model, stepping", id),
            ("Cores in use", cores.to_string()),
            ("Clock, measured", format!("{:.2} GHz", clock.median())),
            ("Caches", caches()),
            ("Backends", backends.join(", ")),
            ("System", output("uname", &["-sr"])),
            ("Compiler", output("rustc", &["--version"])),
        ];
        Self { cpu: field("model name"), facts }
    }
}

/// Sizes of the first core's caches, as Linux tells them.
fn caches() -> String {
    let sizes = (0..).map_while(|i| {
        let cache = format!("/sys/devices/system/cpu/cpu0/cache/index{i}");
        let read = |name| fs::read_to_string(format!("{cache}/{name}")).ok();
        let (level, kind, size) = (read("level")?, read("type")?, read("size")?);
        Some(format!("L{} {} {}", level.trim(), kind.trim().to_lowercase(), size.trim()))
    });
    sizes.collect::<Vec<_>>().join(", ")
}

/// What a command prints, or that it is not there.
fn output(program: &str, arguments: &[&str]) -> String {
    match Command::new(program).args(arguments).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(_) => format!("no {program} here"),
    }
}
