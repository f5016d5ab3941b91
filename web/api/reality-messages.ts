/** A message about an error: a part of those of `messages.ts`. */
type Write = () => { title: string; message: string }

/** The messages of errors about contracts and what exists. */
export const REALITY_MESSAGES = {
  asset_not_table: () => ({
    title: 'This contains tables',
    message: 'Choose one of the tables, views or topics in it.',
  }),
  drift: () => ({
    title: 'A table breaks the contract',
    message: 'Change the contract or the table, or accept the difference on its Reality tab.',
  }),
  not_linked: () => ({
    title: 'No table is linked',
    message: 'Connect the source, or choose the tables on the Reality tab.',
  }),
  test_running: () => ({
    title: 'Another test is running',
    message: 'The source is tested by one test at a time. Test again later.',
  }),
} as const satisfies Readonly<Record<string, Write>>
