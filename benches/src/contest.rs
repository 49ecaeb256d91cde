//! A line of a table before it is measured: a workload, our method, the rivals and the targets.

use anyhow::Result;

use crate::{
    clock::Watch,
    measure::{Plan, alternate},
    method::Method,
    ports::Kernel,
    row::Row,
    workload::Workload,
};

/// What a table is made of.
pub trait Line {
    /// The description of the line, as far as it is known before measuring.
    fn title(&self) -> String;

    /// Measures all methods in one run: a row for each rival, in order.
    ///
    /// # Errors
    /// If two methods for one function give different digests.
    fn run(&self, section: &str, plan: Plan) -> Result<Vec<Row>>;
}

/// Who hashes what, and how much faster we mean to be.
pub struct Contest {
    /// The name of the line.
    pub name: String,
    /// What is hashed.
    pub workload: Workload,
    /// Our method.
    pub ours: Method,
    /// Whether methods use threads: then the wall clock counts, and cycles mean nothing.
    pub threaded: bool,
    /// Cycles a byte that it cannot go below.
    pub limit_cpb: Option<f64>,
    /// The others, each with the ratio that we mean to reach.
    pub rivals: Vec<(Method, Option<f64>)>,
}

impl Contest {
    /// A line without rivals yet.
    pub fn new(name: impl Into<String>, workload: Workload, ours: Method) -> Self {
        Self {
            name: name.into(),
            workload,
            ours,
            threaded: false,
            limit_cpb: None,
            rivals: Vec::new(),
        }
    }

    /// Another name for the line.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Another name for our method.
    #[must_use]
    pub fn renamed(self, ours: impl Into<String>) -> Self {
        Self { ours: self.ours.named(ours), ..self }
    }

    /// The kernel that bounds it.
    #[must_use]
    pub fn limited_to(self, kernel: Kernel) -> Self {
        Self { limit_cpb: kernel.limit(), ..self }
    }

    /// Says that methods use threads.
    #[must_use]
    pub fn on_all_cores(self) -> Self {
        Self { threaded: true, ..self }
    }

    /// A rival with `target` as the wanted speed-up.
    #[must_use]
    pub fn against(mut self, rival: Method, target: impl Into<Option<f64>>) -> Self {
        self.rivals.push((rival, target.into()));
        self
    }

    /// Rivals with `target` as the wanted speed-up.
    #[must_use]
    pub fn against_all(
        mut self,
        rivals: impl IntoIterator<Item = Method>,
        target: impl Into<Option<f64>>,
    ) -> Self {
        let target = target.into();
        self.rivals.extend(rivals.into_iter().map(|rival| (rival, target)));
        self
    }

    /// Rivals to compare with.
    #[must_use]
    pub fn beside(mut self, rivals: impl IntoIterator<Item = Method>) -> Self {
        self.rivals.extend(rivals.into_iter().map(|rival| (rival, None)));
        self
    }

    /// All methods, ours first.
    pub fn methods(&self) -> impl Iterator<Item = &Method> {
        std::iter::once(&self.ours).chain(self.rivals.iter().map(|(rival, _)| rival))
    }

    /// The row for `rival`, without figures yet.
    fn row(&self, section: &str, rival: &Method, target: Option<f64>) -> Row {
        Row {
            section: section.to_owned(),
            name: self.name.clone(),
            size: self.workload.shape().to_owned(),
            ours: self.ours.name.clone(),
            peer: rival.name.clone(),
            bytes: self.workload.bytes(),
            limit_cpb: self.limit_cpb,
            target,
            gap: self.ours.gap().or_else(|| rival.gap()),
            ..Row::default()
        }
    }
}

impl Line for Contest {
    fn title(&self) -> String {
        format!("{}, {}", self.name, self.workload.shape())
    }

    fn run(&self, section: &str, plan: Plan) -> Result<Vec<Row>> {
        let rows = self.rivals.iter().map(|(rival, target)| self.row(section, rival, *target));
        let messages = self.workload.messages();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let Some(ours) = self.ours.contestant(&messages) else { return Ok(rows.collect()) };

        let mut contestants = vec![ours];
        for (rival, _) in &self.rivals {
            let Some(contestant) = rival.contestant(&messages) else { continue };
            if !rival.other_function {
                contestants[0].agrees_with(&contestant)?;
            }
            contestants.push(contestant);
        }
        let watch = if self.threaded { Watch::Wall } else { plan.watch };
        let measured = alternate(&mut contestants, Plan { watch, ..plan })?;

        let clock_ghz = (!self.threaded).then(|| measured.clock.median());
        let (ours, theirs) = measured.times.split_first().expect("we take part");
        let mut theirs = theirs.iter();
        let fill = |row: Row| match row.gap {
            None => Row { clock_ghz, ..row.timed(ours, theirs.next().expect("no gap, so a time")) },
            Some(_) => row,
        };
        Ok(rows.map(fill).collect())
    }
}
