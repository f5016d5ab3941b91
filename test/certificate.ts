/**
 * A self-signed certificate for `localhost`, as PEM, valid until 2126. It only ever protects connections of tests inside
 * one machine: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500
 * -subj /CN=localhost -addext subjectAltName=DNS:localhost`.
 */
export const LOCALHOST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbADXVSpa4dC7QVtK
IOugnl4c9nRD3Z7pv0dPGJ9O/FGhRANCAAQFwzhOSTdx3r/fp6SYUWz8vHWTpziz
hwENdcJIh8HNkXb35ElltT7z4+Tpp6SEJd6tgbij1Lu7wX0jtwhwhFj6
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUPXX9LM4nwhLxiBHKrUn5XaeV0WAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzE0MDc1NFoYDzIxMjYxMTAz
MTQwNzU0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQFwzhOSTdx3r/fp6SYUWz8vHWTpzizhwENdcJIh8HNkXb35ElltT7z
4+Tpp6SEJd6tgbij1Lu7wX0jtwhwhFj6o2kwZzAdBgNVHQ4EFgQUBQu2xnv4+R3e
bQcjmTAt8aJdyCowHwYDVR0jBBgwFoAUBQu2xnv4+R3ebQcjmTAt8aJdyCowDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhAJ0vWdAZxfBWIrBwtmNp26k3bypNsfg4YszRdh+Y7ZilAiB24Urb5v83
QHCG2uSll46C9v5rmsJ9ik1a4L4P04kyKA==
-----END CERTIFICATE-----
`,
}
