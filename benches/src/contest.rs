//! A line of a table before it is measured: a workload, our method, the rivals and the targets.

use anyhow::Result;

use crate::{
    measure::{Contestant, Plan, alternate},
    method::Method,
    row::Row,
    workload::Workload,
};

/// Who hashes what, and how much faster we mean to be.
pub struct Contest {
    /// What the line is about.
    pub name: String,
    /// What is hashed.
    pub workload: Workload,
    /// Our method.
    pub ours: Method,
    /// The others, each with the ratio that we mean to reach.
    pub rivals: Vec<(Method, Option<f64>)>,
}

impl Contest {
    /// A line without rivals yet.
    pub fn new(name: impl Into<String>, workload: Workload, ours: Method) -> Self {
        Self { name: name.into(), workload, ours, rivals: Vec::new() }
    }

    /// A rival that we mean to be `target` times as fast as.
    #[must_use]
    pub fn against(mut self, rival: Method, target: f64) -> Self {
        self.rivals.push((rival, Some(target)));
        self
    }

    /// A rival to be shown beside us.
    #[must_use]
    pub fn beside(mut self, rival: Method) -> Self {
        self.rivals.push((rival, None));
        self
    }

    /// Measures all methods in one run: a row for each rival, in order.
    ///
    /// # Errors
    /// If two methods for one function give different digests.
    pub fn run(&self, section: &str, plan: Plan) -> Result<Vec<Row>> {
        let messages = self.workload.messages();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let methods = || std::iter::once(&self.ours).chain(self.rivals.iter().map(|(r, _)| r));

        let mut contestants = Vec::new();
        let places: Vec<Option<usize>> = methods()
            .map(|method| {
                contestants.push(method.contestant(&messages)?);
                Some(contestants.len() - 1)
            })
            .collect();
        self.check(&places, &contestants)?;
        let measured = alternate(&mut contestants, plan)?;

        let ours = places[0];
        let rows = self.rivals.iter().zip(&places[1..]).map(|((rival, target), place)| {
            let row = Row {
                section: section.to_owned(),
                name: self.name.clone(),
                size: self.workload.shape().to_owned(),
                ours: self.ours.name.clone(),
                peer: rival.name.clone(),
                bytes: self.workload.bytes(),
                clock_ghz: Some(measured.clock.median()),
                target: *target,
                gap: self.ours.gap().or_else(|| rival.gap()),
                ..Row::default()
            };
            match (ours, place) {
                (Some(ours), Some(peer)) => {
                    row.timed(&measured.times[ours], &measured.times[*peer])
                }
                _ => row,
            }
        });
        Ok(rows.collect())
    }

    /// All methods for our function must give one answer.
    fn check(&self, places: &[Option<usize>], contestants: &[Contestant<'_>]) -> Result<()> {
        let Some(ours) = places[0] else { return Ok(()) };
        for ((rival, _), place) in self.rivals.iter().zip(&places[1..]) {
            if let (Some(place), false) = (place, rival.other_function) {
                contestants[ours].agrees_with(&contestants[*place])?;
            }
        }
        Ok(())
    }
}
