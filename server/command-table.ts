import type { Command } from './command-line.ts'
import { ADDRESS, MAIL, NEXT_KEY, SERVER, SOURCES, STORE } from './command-settings.ts'

const FAILED = 'it failed; standard error has the reason'
const DEMO = {
  name: 'demo',
  meaning: 'fills an empty catalog with an example mesh, and reads a real database',
}

/** Every command. The first one is the default. */
export const COMMANDS = [
  {
    name: 'serve',
    summary: 'serves pages and API, and works on ingestion runs (the default)',
    description: [
      'Serves the pages and the API until it gets SIGTERM or SIGINT. It migrates the database first, and works on ingestion runs, notifications and upkeep. The first line on standard output has the address; the log is on standard error.',
      'The first start of an empty catalog prints a link that creates the first organization.',
    ],
    options: [DEMO],
    settings: [...ADDRESS, ...STORE, ...SERVER, ...SOURCES, ...MAIL],
    exitCodes: ['it was stopped', 'it could not start, or an unexpected error ended it'],
    example: 'serve --demo',
  },
  {
    name: 'work',
    summary: 'works on ingestion runs and in the background, without serving',
    description: [
      'Works on ingestion runs, notifications and upkeep until it gets SIGTERM or SIGINT. Start any number of such processes beside the server, with its settings and one database.',
    ],
    options: [DEMO],
    settings: [...STORE, ...SOURCES, ...ADDRESS, ...MAIL],
    exitCodes: ['it was stopped', 'it could not start, or an unexpected error ended it'],
    example: 'work',
  },
  {
    name: 'migrate',
    summary: 'brings the schema of the database up to date',
    description: [
      'Applies the migrations that the database lacks. The server does the same when it starts; as a command it can run before new processes replace the older ones.',
    ],
    settings: STORE,
    exitCodes: ['the schema is up to date', FAILED],
    example: 'migrate',
  },
  {
    name: 'backup',
    summary: 'writes a consistent backup, also while Portbook serves',
    description: [
      'Writes portbook-<UTC time>.jsonl.gz, reads it back, and prints its path and size. Until it is complete, its name ends in .partial. The encryption key is not in it: keep a copy of the key in a separate safe place.',
    ],
    operand: { name: '<folder>', meaning: 'the folder for the file, which is created' },
    settings: STORE,
    exitCodes: ['the backup is complete', FAILED],
    example: 'backup /var/backups/portbook',
  },
  {
    name: 'restore',
    summary: 'restores a backup into an empty database',
    description: [
      'Checks the file and the encryption key first, writes everything or nothing, builds the search index and verifies the result. It rejects a database that is not empty or in use.',
    ],
    operand: {
      name: '<file or folder>',
      meaning: 'a backup, or a folder, of which the newest complete backup is used',
    },
    settings: STORE,
    exitCodes: ['the catalog is restored and verified', 'it failed, or the check found problems'],
    example: 'restore /var/backups/portbook',
  },
  {
    name: 'verify',
    summary: 'checks every document, version, link and seal of the catalog',
    description: [
      'Parses every document and version again and compares the rest of the database with them, also while Portbook serves. It changes nothing. Each finding has its repair.',
    ],
    settings: STORE,
    exitCodes: ['no findings', 'findings, or the command failed'],
    example: 'verify',
  },
  {
    name: 'export',
    summary: 'writes the whole catalog into a file of your choice',
    description: [
      'Writes what backup writes, to a file name of your choice: JSON Lines, compressed if the name ends in .gz.',
    ],
    operand: { name: '<file>', meaning: 'the new file; an existing one is an error' },
    settings: STORE,
    exitCodes: ['the file is complete', FAILED],
    example: 'export catalog.jsonl.gz',
  },
  {
    name: 'import',
    summary: 'reads such a file into an empty database',
    description: ['Reads an export into an empty database: everything or nothing.'],
    operand: { name: '<file>', meaning: 'a file that export or backup wrote' },
    settings: STORE,
    exitCodes: ['the catalog is imported', FAILED],
    example: 'import catalog.jsonl.gz',
  },
  {
    name: 'rotate-key',
    summary: 'changes the encryption key of stored credentials',
    description: [
      'Seals every stored credential with the new key. Stop all other Portbook processes first. If it is interrupted, run it again.',
    ],
    settings: [NEXT_KEY, ...STORE],
    exitCodes: ['everything is sealed with the new key', FAILED],
    example: 'rotate-key',
  },
  {
    name: 'reset-password',
    summary: 'prints a one-time link that sets a new password',
    description: [
      'Prints a link for each account with this address. It works once, for 24 hours, signs the person out everywhere and deletes their personal API keys.',
    ],
    operand: { name: '<address>', meaning: 'the e-mail address of the person' },
    settings: [...ADDRESS, ...STORE],
    exitCodes: ['the links are printed', FAILED],
    example: 'reset-password ada@example.com',
  },
  {
    name: 'allow-any-sign-in',
    summary: 'switches off the rule that an organization requires its identity provider',
    description: [
      'Lets the members of an organization sign in in any way again, if its provider is away and no break-glass owner can sign in. It works while Portbook serves, and counts within a second.',
    ],
    operand: {
      name: '<organization>',
      meaning:
        'the first part of the paths of its page addresses, as in /<organization>/dataproducts',
    },
    settings: STORE,
    exitCodes: ['any way to sign in is allowed', FAILED],
    example: 'allow-any-sign-in velmora',
  },
  {
    name: 'erase',
    summary: 'erases a person, in all organizations',
    description: [
      'Ends the access of everyone with this address, deletes their sessions, keys and notifications, and replaces the name and the address of the account, also in the activity. It works while Portbook serves, and cannot be undone. On a terminal it asks first.',
      'Documents are never changed: it lists those that still contain the address. The guide "Erase a person" explains what stays.',
    ],
    operand: { name: '<address>', meaning: 'the e-mail address of the person' },
    options: [
      { name: 'dry-run', meaning: 'shows what would be erased, and changes nothing' },
      { name: 'yes', meaning: 'does not ask' },
      { name: 'all', meaning: 'erases every account, if several have the address' },
    ],
    settings: STORE,
    exitCodes: ['the person is erased, or would be', FAILED],
    example: 'erase ada@example.com --dry-run',
  },
  {
    name: 'verify-domain',
    summary: 'verifies the mail domain of an organization, without its TXT record',
    description: [
      'Verifies a mail domain that belongs to an organization, adds it if it is missing, and takes it from any other organization. It works while Portbook serves.',
      'Name the organization by its address, if several have added the domain.',
    ],
    operand: {
      name: '[<organization>/]<domain>',
      meaning: 'the domain, with the address of the organization before it',
    },
    settings: STORE,
    exitCodes: ['the domain is verified', FAILED],
    example: 'verify-domain acme/example.com',
  },
  {
    name: 'send-test-mail',
    summary: 'sends a test message through the mail server',
    description: [
      'Sends one message with the settings of the mail server and prints the reply if it fails. It needs no database.',
    ],
    operand: { name: '<address>', meaning: 'the recipient' },
    settings: [...MAIL, ...ADDRESS],
    exitCodes: ['the mail server accepted the message', FAILED],
    example: 'send-test-mail ada@example.com',
  },
  {
    name: 'openapi',
    summary: 'prints the description of the API (OpenAPI 3.1)',
    description: ['Prints the description of the API as JSON. It needs no database.'],
    settings: [],
    exitCodes: ['it is printed', 'it could not be printed completely'],
    example: 'openapi',
  },
] as const satisfies readonly Command[]

/** The name of a command. */
export type CommandName = (typeof COMMANDS)[number]['name']
