/** The maximum length of the reason that a person gives for a decision about a table: a chosen one, or an accepted difference. */
export const REASON_CHARACTERS_MAX = 1000
