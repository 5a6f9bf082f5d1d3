//! A push whose connections break, to the database and to the server, at every message: in the end it is there once
//! (R432).

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::proxy::{Cut, Proxy};
use crate::world::{WRITER, World};

pub(crate) const TESTS: &[Test] = &[
    ("cut::the_database_goes_away_at_every_message_of_a_push", database),
    ("cut::the_server_goes_away_at_every_request_of_a_push", server),
];

#[expect(clippy::print_stdout, reason = "the numbers of a run are worth reading")]
fn database(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    // Each message takes a while: CI cuts at every third one.
    let step = if std::env::var("OLDHAND_KILL").as_deref() == Ok("long") { 1 } else { 3 };
    let mut cuts = 0;
    for cut in [Cut::Before, Cut::After] {
        for at in (0..).step_by(step) {
            let proxy = Proxy::start(world.bed.server.socket(), cut, at);
            let server = world.serve(&world.bed.through(proxy.socket()));
            repository.reference(&format!("{cut:?} number {at}"), "db-3");
            repository.commit("a step");
            let said = repository.sync_at(&server.address, WRITER, &["push"]);
            assert_eq!(said.code, 0, "{cut:?} {at}: {said:?}");
            repository.is_mirrored(store);
            if !proxy.stop() {
                break;
            }
            cuts += 1;
        }
    }
    println!("cut off {cuts} times, at every message of {step}");
    assert!(cuts > 20, "cut off {cuts} times");
}

/// A wire to the server that breaks at the n-th connection: before the request got there, or before its answer came.
fn breaking(server: SocketAddr, cut: Cut, at: usize) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    let met = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&met);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let Ok(mut client) = client else { return };
            let count = Arc::clone(&count);
            std::thread::spawn(move || {
                let mut to = TcpStream::connect(server).expect("the server listens");
                let (mut answers, mut back) =
                    (to.try_clone().expect("a handle"), client.try_clone().expect("a handle"));
                let number = Arc::clone(&count);
                std::thread::spawn(move || {
                    let mut bytes = vec![0; 64 * 1024];
                    while let Ok(read @ 1..) = answers.read(&mut bytes) {
                        let is_cut =
                            cut == Cut::After && number.fetch_add(1, Ordering::SeqCst) == at;
                        if is_cut || back.write_all(&bytes[..read]).is_err() {
                            break;
                        }
                    }
                    let _ = back.shutdown(Shutdown::Both);
                });
                let mut bytes = vec![0; 64 * 1024];
                while let Ok(read @ 1..) = client.read(&mut bytes) {
                    let is_cut = cut == Cut::Before && count.fetch_add(1, Ordering::SeqCst) == at;
                    if is_cut || to.write_all(&bytes[..read]).is_err() {
                        break;
                    }
                }
                let _ = client.shutdown(Shutdown::Both);
                let _ = to.shutdown(Shutdown::Both);
            });
        }
    });
    (address, met)
}

fn server(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    let server: SocketAddr = world.address.trim_start_matches("http://").parse().expect("one");
    let mut cuts = 0;
    for cut in [Cut::Before, Cut::After] {
        for at in 0.. {
            let (address, met) = breaking(server, cut, at);
            repository.reference(&format!("{cut:?} number {at}"), "db-3");
            repository.commit("a step");
            let said = repository.sync_at(&format!("http://{address}"), WRITER, &["push"]);
            assert_eq!(said.code, 0, "{cut:?} {at}: {said:?}");
            repository.is_mirrored(store);
            if met.load(Ordering::SeqCst) <= at {
                break;
            }
            cuts += 1;
        }
    }
    // Two requests at least, each cut before and after it is sent on.
    assert!(cuts >= 4, "cut off {cuts} times");
}
