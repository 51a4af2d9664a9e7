use super::*;

/// Wilson's formula with z = 1.96 gives 0.5 plus or minus 1.96 * sqrt(0.25 / 100 + 1.96^2 / 40000) / (1 + 1.96^2 / 100).
#[test]
fn half_of_a_hundred_games_leave_ten_percent_open() {
    let played = Simulated {
        escaped: 50,
        games: 100,
        seed: 0,
    };
    let Bounds {
        lower: low,
        upper: high,
    } = played.interval();
    assert!((low - 0.40383).abs() < 1e-4, "{low}");
    assert!((high - 0.59617).abs() < 1e-4, "{high}");
}
