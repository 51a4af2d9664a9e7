use super::*;

#[test]
fn a_certificate_in_memory_takes_an_eighth_of_it_at_most() {
    let limits = Limits {
        max_memory: Some(8_000),
        ..Limits::default()
    };
    let mut text = CertificateBuffer::within(&limits);
    for _ in 0..10 {
        text.write_all(&[b'x'; 100]).unwrap();
    }
    assert_eq!((text.bytes.len(), text.bytes.capacity()), (1_000, 1_000));
    let full = text.write_all(b"x").unwrap_err();
    assert_eq!(reason_or_limit(CertifyError::Io(full)), Err(Limit::Memory));
    assert_eq!(text.bytes.capacity(), 1_000);
    let closed = CertifyError::Io(io::ErrorKind::BrokenPipe.into());
    assert!(reason_or_limit(closed).is_ok());
}
