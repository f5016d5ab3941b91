/** The errors of comparisons of contracts with what exists. */
export const REALITY_ERRORS = {
  drift: {
    status: 409,
    meaning: 'An asset breaks the data contract, and `failOn=drift` was requested.',
    fix: 'Change the contract or the table as `findings` lists, or accept the difference.',
  },
} as const
