//! Strategies on threads of their own that never wait for each other.
//!
//! Plain runs continue here. Companions, each with an arena of its own, send their news in parcels,
//! which are delivered between turns. Which difference is found first depends on which thread is
//! faster; the report does not: every difference is replayed, and a proof is a proof.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::parallel::join;
use explore::pair::{Arena, Link, Parcel};

use super::lane::{Bring, Lane, LaneState, Patience, Until};
use super::{Ended, Portfolio, SHORTEST_ROUND};
use crate::trial::Phase;

/// The most work between two deliveries: about 20 to 40 ms of plain runs.
const LONGEST_TURN: u64 = 2_000;
/// How long an idle companion waits for news before it checks again.
const IDLE: Duration = Duration::from_millis(20);

/// Strategies with a thread and an arena of their own.
pub(super) struct Companion<'s> {
    pub lane: Lane<'s>,
    pub seat: Option<Seat<'s>>,
}

/// Where a companion works.
pub(super) struct Seat<'s> {
    arena: Arena<'s>,
    /// What it has sent, and what it has received.
    tells: Link,
    told: Link,
    switch: Arc<AtomicBool>,
}

impl<'s> Companion<'s> {
    pub fn new(lane: Lane<'s>) -> Companion<'s> {
        Companion { lane, seat: None }
    }
}

/// Parcels in both directions between plain runs and one companion.
struct Post {
    to_companion: Mutex<Vec<Parcel>>,
    has_news: Condvar,
    from_companion: Mutex<(Vec<Parcel>, LaneState)>,
}

impl Post {
    fn new() -> Post {
        Post {
            to_companion: Mutex::default(),
            has_news: Condvar::new(),
            from_companion: Mutex::new((Vec::new(), LaneState::Busy)),
        }
    }

    fn send(&self, parcel: Parcel) {
        locked(&self.to_companion).push(parcel);
        self.has_news.notify_one();
    }

    fn collect(&self) -> (Vec<Parcel>, LaneState) {
        let (parcels, state) = &mut *locked(&self.from_companion);
        (std::mem::take(parcels), *state)
    }
}

/// The state of a thread that panicked is not used: the panic is passed on when it is joined.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'s> Portfolio<'s> {
    /// Continues plain runs until there is a reason to stop, while companions do the rest.
    pub(super) fn run_freely(
        &mut self,
        arena: &mut Arena<'s>,
        bring: &mut Bring<'_, 's>,
        tell: &(dyn Fn(Phase) + Sync),
    ) -> Ended {
        let solving = std::mem::replace(&mut self.solving, Lane::plain(Vec::new()));
        let mut solving = Companion::new(solving);
        std::mem::swap(&mut solving.seat, &mut self.seat);
        let mut companions = std::mem::take(&mut self.companions);
        companions.insert(0, solving);
        for companion in &mut companions {
            companion.sit_down(arena);
        }
        let ended = self.beside_companions(arena, &mut companions, bring, tell);
        let solving = companions.remove(0);
        (self.solving, self.seat) = (solving.lane, solving.seat);
        self.companions = companions;
        ended
    }

    fn beside_companions(
        &mut self,
        arena: &mut Arena<'s>,
        companions: &mut [Companion<'s>],
        bring: &mut Bring<'_, 's>,
        tell: &(dyn Fn(Phase) + Sync),
    ) -> Ended {
        let posts: Vec<Post> = companions.iter().map(|_| Post::new()).collect();
        let mut links: Vec<Link> = Vec::new();
        // Companions that use a solver share the strategies to come.
        let bring = Mutex::new(bring);
        let ended = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let mut switches = Vec::new();
            for (companion, post) in companions.iter_mut().zip(&posts) {
                let Companion { lane, seat: Some(seat) } = companion else { continue };
                links.push(seat.told);
                switches.push(Arc::clone(&seat.switch));
                let bring = &bring;
                let work = move || seat.work(lane, post, &mut |arena| locked(bring)(arena), tell);
                threads.push(scope.spawn(work));
            }
            let ended = self.run_plainly(arena, &posts, &mut links, tell);
            switches.iter().for_each(|switch| switch.store(true, Relaxed));
            posts.iter().for_each(|post| post.has_news.notify_one());
            threads.into_iter().for_each(join);
            switches.iter().for_each(|switch| switch.store(false, Relaxed));
            ended
        });
        for ((companion, post), link) in companions.iter_mut().zip(&posts).zip(&mut links) {
            arena.tell(link);
            for parcel in post.collect().0 {
                arena.hear(parcel, link);
            }
            if let Some(seat) = &mut companion.seat {
                arena.join(&mut seat.arena);
                seat.told = *link;
            }
        }
        self.keep(arena);
        ended
    }

    fn run_plainly(
        &mut self,
        arena: &mut Arena<'s>,
        posts: &[Post],
        links: &mut [Link],
        tell: &(dyn Fn(Phase) + Sync),
    ) -> Ended {
        loop {
            let work = (arena.effort.work() / 8).clamp(SHORTEST_ROUND, LONGEST_TURN);
            let until = Until { work, patience: self.patience() };
            self.plain.advance(arena, until, &mut |_| None, tell);
            let mut state = LaneState::Done;
            for (post, link) in posts.iter().zip(&mut *links) {
                let parcel = arena.tell(link);
                if parcel.is_news() {
                    post.send(parcel);
                }
                let (parcels, its) = post.collect();
                for parcel in parcels {
                    arena.hear(parcel, link);
                }
                state = state.with(its);
            }
            self.keep(arena);
            if let Some(ended) = self.ended(arena, state) {
                return ended;
            }
        }
    }
}

impl<'s> Companion<'s> {
    /// Gets an arena of its own with the knowledge of another one.
    fn sit_down(&mut self, arena: &Arena<'s>) {
        self.seat.get_or_insert_with(|| {
            let (mut own, link) = (arena.fork(), arena.link());
            let switch = own.own_switch();
            Seat { arena: own, tells: link, told: link, switch }
        });
    }
}

impl<'s> Seat<'s> {
    /// Lets strategies take turns until the switch is set or the budget is exhausted.
    fn work(
        &mut self,
        lane: &mut Lane<'s>,
        post: &Post,
        bring: &mut Bring<'_, 's>,
        tell: &(dyn Fn(Phase) + Sync),
    ) {
        let Seat { arena, tells, .. } = self;
        while arena.exhausted().is_none() {
            let work = (arena.effort.work() / 8).clamp(SHORTEST_ROUND, LONGEST_TURN);
            let until = Until { work, patience: Patience::ENDLESS };
            lane.advance(arena, until, bring, tell);
            let state = lane.state();
            {
                let (parcels, known) = &mut *locked(&post.from_companion);
                parcels.push(arena.tell(tells));
                *known = state;
            }
            let parcels = match state {
                LaneState::Busy => std::mem::take(&mut *locked(&post.to_companion)),
                LaneState::Done | LaneState::Equal => {
                    let waiting = locked(&post.to_companion);
                    let waited = post.has_news.wait_timeout(waiting, IDLE);
                    std::mem::take(&mut *waited.unwrap_or_else(PoisonError::into_inner).0)
                }
            };
            if parcels.iter().any(Parcel::is_news) {
                lane.revive();
            }
            for parcel in parcels {
                arena.hear(parcel, tells);
            }
        }
    }
}
