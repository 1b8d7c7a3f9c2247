//! Threads of the members of a team on one rank.

use crate::optim::Awake;
use bnpool::parallel::{Member, Team};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// Runs members in parallel, each on its own threads. Threads are kept between
/// steps, because their heaps are warm.
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
    /// Returns how many of `members` members may compute at the same time, at most
    /// one per thread of the current pool.
    pub fn permits(members: usize) -> usize {
        members.min(rayon::current_num_threads()).max(1)
    }

    /// Runs the members on this rank and returns their results in order. The
    /// threads of the current pool are distributed among them.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started.
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
