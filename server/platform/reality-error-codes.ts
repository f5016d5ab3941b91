/** The errors of comparisons of contracts with what exists. */
export const REALITY_ERRORS = {
  drift: {
    status: 409,
    meaning: 'An asset breaks the data contract, and `failOn=drift` was requested.',
    fix: 'Change the contract or the table as `findings` lists, or accept the difference.',
  },
  asset_not_table: {
    status: 409,
    meaning: 'The asset contains others, such as a schema, and keeps no promise itself.',
    fix: 'Choose one of the tables, views or topics in it.',
  },
} as const
