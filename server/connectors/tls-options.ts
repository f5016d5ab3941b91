/**
 * The titles of TLS modes, named after PostgreSQL's: the forms and messages of all sources use
 * them.
 */
export const TLS_TITLES = {
  off: 'Off',
  require: 'Require (no certificate check)',
  verifyCa: 'Require (verify-ca)',
  verifyFull: 'Require (verify-full)',
} as const

/** The title of the field that holds the TLS mode. */
export const TLS_FIELD_TITLE = 'Encryption'

/** The hint for a connection that is not encrypted, or a server whose identity is not verified. */
export const VERIFY_HINT = `Set ${TLS_FIELD_TITLE} to "${TLS_TITLES.verifyFull}" to protect the connection.`

/** The hint for a server that does not support TLS. */
export const NO_TLS_HINT = `Enable TLS on the server, or set ${TLS_FIELD_TITLE} to "${TLS_TITLES.off}".`

/** The title of the button that sets the TLS mode to `off`. */
export const TURN_OFF_TITLE = 'Turn encryption off'
