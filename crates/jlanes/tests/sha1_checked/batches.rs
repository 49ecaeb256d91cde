//! Tests of SHA-1 with detection on many messages.

use jlanes::{
    Backend, Sha1Checked,
    digest::Output,
    multi::{Lanes, Messages, ReadSource},
};
use jlanes_testing::{backends, message};

use crate::{attacks, ours, peer};

/// Messages of all lengths around the edges of blocks, with an attack after every `every`th.
fn mixed(every: usize) -> Vec<Vec<u8>> {
    let mut attacks = attacks().into_iter().cycle();
    let mut messages = Vec::new();
    for i in 0..330 {
        messages.push(message(i as u64, if i % 3 == 0 { i } else { i * 7 % 1000 }));
        if i % every == every - 1 {
            messages.extend(attacks.next());
        }
    }
    messages
}

#[test]
fn each_message_has_its_result_on_every_backend() {
    for every in [1, 7, 50] {
        let messages = mixed(every);
        let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let expected: Vec<_> = slices.iter().map(|message| peer(message)).collect();
        assert_eq!(expected.iter().filter(|(_, found)| *found).count(), 330 / every);
        for backend in backends::<Backend>() {
            let results = Lanes::<Sha1Checked>::new().on(backend).try_digests(&slices);
            assert_eq!(results.iter().map(ours).collect::<Vec<_>>(), expected, "{backend}");
            let mut digests = vec![Output::<Sha1Checked>::default(); slices.len()];
            Lanes::<Sha1Checked>::new().on(backend).digest(&slices, &mut digests);
            let safe = digests.iter().zip(&expected);
            assert!(safe.into_iter().all(|(ours, theirs)| ours[..] == theirs.0), "{backend}");
        }
        let results = Lanes::<Sha1Checked>::new().try_digests(&slices);
        assert_eq!(results.iter().map(ours).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn an_attack_is_found_in_every_lane() {
    let attacks = attacks();
    for backend in backends::<Backend>() {
        for (attack, expected) in attacks.iter().map(|attack| (attack, peer(attack))) {
            let harmless = message(9, attack.len());
            for count in [1, 2, 5, 16, 17] {
                for at in 0..count {
                    let slices: Vec<&[u8]> =
                        (0..count).map(|i| if i == at { &attack[..] } else { &harmless }).collect();
                    let results = Lanes::<Sha1Checked>::new().on(backend).try_digests(&slices);
                    for (i, result) in results.iter().enumerate() {
                        assert_eq!(result.is_err(), i == at, "{backend}: {i} of {count}");
                    }
                    assert_eq!(ours(&results[at]), expected, "{backend}: {at} of {count}");
                }
            }
        }
    }
}

#[test]
fn all_lanes_may_have_attacks() {
    let attacks = attacks();
    let slices: Vec<&[u8]> = attacks.iter().cycle().take(100).map(|attack| &attack[..]).collect();
    for backend in backends::<Backend>() {
        let results = Lanes::<Sha1Checked>::new().on(backend).try_digests(&slices);
        for (result, message) in results.iter().zip(&slices) {
            assert_eq!(ours(result), peer(message), "{backend}");
        }
    }
}

#[test]
fn a_prefix_is_part_of_the_message() {
    let attack = &attacks()[20];
    assert_eq!(attack.len() % 64, 0);
    for cut in [1, 64, 100, 192] {
        let (prefix, rest) = attack.split_at(cut);
        let slices: [&[u8]; 3] = [rest, &[], b"harmless"];
        let whole = slices.map(|message| [prefix, message].concat());
        for backend in backends::<Backend>() {
            let lanes = Lanes::<Sha1Checked>::new().on(backend).prefix(prefix);
            let expected: Vec<_> = whole.iter().map(|message| peer(message)).collect();
            assert!(expected[0].1 && !expected[2].1);
            let results = lanes.try_digests(&slices);
            assert_eq!(results.iter().map(ours).collect::<Vec<_>>(), expected, "{backend}, {cut}");
        }
    }
}

#[test]
fn messages_in_pieces_have_the_safe_hash() {
    let messages = mixed(5);
    for backend in backends::<Backend>() {
        let mut scheduler = Lanes::<Sha1Checked>::new().on(backend).scheduler();
        for (i, message) in messages.iter().enumerate() {
            scheduler.submit(ReadSource(i, &message[..]));
        }
        let mut done = 0;
        for (i, digest) in scheduler.drain() {
            assert_eq!(digest.unwrap()[..], peer(&messages[i]).0, "{backend}");
            done += 1;
        }
        assert_eq!(done, messages.len());
    }
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let mut digests = vec![Output::<Sha1Checked>::default(); slices.len()];
    Lanes::<Sha1Checked>::new().digest_all(Messages::slices(&slices), &mut digests);
    for (digest, message) in digests.iter().zip(&slices) {
        assert_eq!(digest[..], peer(message).0);
    }
}
