//! The threads of the members of a team that run on one rank.

use crate::optim::Awake;
use bnpool::parallel::{Member, Team};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// Runs members side by side, each on threads of its own, which stay from step to
/// step: their heaps are warm.
#[derive(Debug, Default)]
pub(super) struct Crew {
    posts: Vec<Post>,
}

#[derive(Debug)]
struct Post {
    pool: ThreadPool,
    awake: Awake,
}

impl Crew {
    /// How many of `members` members compute at a time: as many as the current pool
    /// has threads.
    pub fn permits(members: usize) -> usize {
        members.min(rayon::current_num_threads()).max(1)
    }

    /// What every member that runs here returns, in their order. The threads of the
    /// current pool are shared out among them.
    ///
    /// # Errors
    ///
    /// When threads cannot be started.
    pub fn run<R: Send>(
        &mut self,
        team: &Arc<Team>,
        work: impl Fn(Member) -> R + Sync,
    ) -> Result<Vec<R>, rayon::ThreadPoolBuildError> {
        let here = team.here();
        if self.posts.len() < here.len() {
            let threads = rayon::current_num_threads().div_ceil(here.len());
            self.posts = here
                .clone()
                .map(|_| {
                    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
                    let awake = Awake::default();
                    Ok(Post { pool, awake })
                })
                .collect::<Result<_, _>>()?;
        }
        Ok(std::thread::scope(|scope| {
            let under_way: Vec<_> = here
                .zip(&self.posts)
                .map(|(member, post)| {
                    let work = &work;
                    scope.spawn(move || {
                        post.pool.install(|| {
                            team.work(member, |member| {
                                post.awake.stir();
                                work(member)
                            })
                        })
                    })
                })
                .collect();
            under_way
                .into_iter()
                .map(|own| {
                    own.join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect()
        }))
    }
}
