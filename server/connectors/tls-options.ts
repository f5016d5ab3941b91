/**
 * The titles of TLS modes, in the words of PostgreSQL: the form and messages of all sources show the same.
 */
export const TLS_TITLES = {
  off: 'Off',
  require: 'Require (no certificate check)',
  verifyCa: 'Require (verify-ca)',
  verifyFull: 'Require (verify-full)',
} as const

/** The title of the field that holds the TLS mode. */
export const TLS_FIELD_TITLE = 'Encryption'

/** What to do about a connection that is not encrypted, or to a server that proved no identity. */
export const VERIFY_HINT = `Set ${TLS_FIELD_TITLE} to “${TLS_TITLES.verifyFull}” to protect the connection.`

/** What to do about a server that does not support TLS. */
export const NO_TLS_HINT = `Enable TLS at the server, or set ${TLS_FIELD_TITLE} to “${TLS_TITLES.off}”.`

/** The title of the button that sets the TLS mode to `off`. */
export const TURN_OFF_TITLE = 'Turn encryption off'
