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
  not_linked: {
    status: 422,
    meaning: 'No model of the data contract on this server is linked with a table of this catalog.',
    fix: 'Connect the source, or choose the tables on the page of the contract. `links` has the state of each model.',
  },
  test_running: {
    status: 409,
    meaning: 'Another test reads the same source. Each source is tested by one test at a time.',
    fix: 'Wait until the other test has ended.',
  },
} as const
