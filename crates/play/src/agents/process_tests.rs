use super::*;

const PATIENCE: Duration = Duration::from_secs(60);

fn start(line: &str) -> Process {
    Process::start(&AgentCommand::parse(line).unwrap()).unwrap()
}

fn greet(process: &mut Process) -> String {
    let wait = Wait {
        deadline: Instant::now(),
        late: "did not answer `hello`",
        limits: Limits::default(),
    };
    match process.greet(b"hello\n", &wait) {
        Err(Failure::Late(what)) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_process_is_silent_until_it_reads_or_writes() {
    let mut process = start("sleep 1000");
    assert_eq!(greet(&mut process), "did not answer `hello`");
    assert!(process.is_silent());
    for script in [
        "read -r hello; exec sleep 1000",
        "echo loading >&2; exec sleep 1000",
        "printf {; exec sleep 1000",
    ] {
        let mut process = start(&format!("sh -c '{script}'"));
        greet(&mut process);
        let start = Instant::now();
        while process.is_silent() {
            assert!(start.elapsed() < PATIENCE, "{script}");
            process.listen().unwrap();
        }
    }
}
