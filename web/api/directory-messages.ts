import { forPeople } from './for-people.ts'

/** The facts of a problem answer, and the message about it: a part of those of `messages.ts`. */
type Write = (facts: { detail: string }) => { title: string; message: string }

const REFUSED: Write = ({ detail }) => ({
  title: 'The directory sent something unexpected',
  message: forPeople(detail, 'Correct the request that the directory sends.'),
})

/** The messages of provisioning by a directory. */
export const DIRECTORY_MESSAGES = {
  directory_key_elsewhere: () => ({
    title: 'A key of a directory',
    message: 'Keys of a directory only provision people and groups. Use an API key.',
  }),
  directory_protected: () => ({
    title: 'Not suspended and not removed',
    message: 'The directory cannot suspend or remove the last owner or a break-glass owner.',
  }),
  scim_syntax_invalid: REFUSED,
  scim_filter_invalid: REFUSED,
  scim_path_invalid: REFUSED,
  scim_value_invalid: REFUSED,
  scim_duplicate: REFUSED,
  not_implemented: REFUSED,
} as const satisfies Readonly<Record<string, Write>>
