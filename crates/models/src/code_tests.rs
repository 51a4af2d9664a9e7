use proptest::prelude::*;

use super::*;

fn code() -> impl Strategy<Value = (Code, Vec<(u32, u8, bool)>, u32)> {
    let group = (1..6_usize, 0..1_u32 << 29, 0..1_u32 << 30, any::<u8>());
    let groups = prop::collection::vec(group, 1..6);
    (groups, 1..1_u32 << 30).prop_flat_map(|(groups, positions)| {
        let groups: Vec<Group> = groups
            .into_iter()
            .map(|(count, min, more, cooldown)| Group {
                count,
                tiles: (min, min + more),
                cooldown,
            })
            .collect();
        let code = Code::new(positions, &groups);
        let all = groups
            .iter()
            .flat_map(|group| std::iter::repeat_n(*group, group.count));
        let adversaries: Vec<_> = all
            .map(|group| {
                let (min, greatest) = group.tiles;
                (min..=greatest, 0..=group.cooldown, any::<bool>())
            })
            .collect();
        (Just(code), adversaries, 0..positions)
    })
}

proptest! {
    #[test]
    fn positions_are_packed_and_unpacked((code, adversaries, position) in code()) {
        let adversaries = adversaries.into_iter().map(|(tile, cooldown, waits)| {
            let adversary = PackedAdversary::moved(tile, cooldown);
            if waits { adversary.waiting() } else { adversary }
        });
        let node = code.node(position, Phase::Adversaries, adversaries);
        let mut words = vec![0; code.words() + 1];
        code.pack_into(&node, &mut words);
        prop_assert_eq!(words.pop(), Some(0));
        let mut all = vec![code.unpack(&words)];
        if code.bits() <= u64::BITS {
            all.push(code.unpack(&[code.pack(&node)]));
        }
        for back in all {
            prop_assert_eq!((back.position, back.phase), (node.position, node.phase));
            prop_assert_eq!(&back.adversaries, &node.adversaries);
        }
    }
}
