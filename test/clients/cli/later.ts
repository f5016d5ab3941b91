/**
 * Commands for parts of the API that do not exist yet: git, branches and semantics. They must fail
 * with 404; a row that works must get its real expectations. Only the list of semantic namespaces exists, and is empty.
 */

import type { CommandRow } from '../command-rows.ts'

// The name of a command has two words, in a nested group three.
const NESTED = /^\S+ (git-credentials|gitconnection|branches|namespaces|concepts|relationships) /

const CREDENTIAL_ID = '5b5c86d5-2a9a-4d39-9a59-2f5d9fbf6e11'
const NEW_CREDENTIAL = {
  gitConnectionType: 'github',
  authenticationToken: 'secret',
  externalId: 'github',
}

const CREDENTIALS = [
  ...inPart('git', [
    'organization git-credentials list',
    `organization git-credentials get ${CREDENTIAL_ID}`,
    `organization git-credentials delete ${CREDENTIAL_ID}`,
    'teams git-credentials list a',
    `teams git-credentials get a ${CREDENTIAL_ID}`,
    `teams git-credentials delete a ${CREDENTIAL_ID}`,
  ]),
  ...[
    'organization git-credentials create',
    `organization git-credentials update ${CREDENTIAL_ID}`,
    'teams git-credentials create a',
    `teams git-credentials update a ${CREDENTIAL_ID}`,
  ].map((line) => withDocument('git', line, NEW_CREDENTIAL)),
]

const REPOSITORY =
  '--repository-url https://git.example.test/shop.git --repository-path document.yaml ' +
  '--git-connection-type github'

const GIT = [
  ['dataproducts', 'orders'],
  ['datacontracts', 'orders-contract'],
].flatMap(([group = '', id = '']) =>
  inPart('git', [
    `${group} import-from-git ${REPOSITORY}`,
    `${group} gitconnection put ${id} ${REPOSITORY}`,
    `${group} gitconnection get ${id}`,
    `${group} gitconnection pull ${id}`,
    `${group} gitconnection push ${id} --commit-message Update`,
    `${group} gitconnection push-pr ${id} --title Update`,
    `${group} gitconnection delete ${id}`,
  ]),
)

const BRANCHES = ['datacontracts branches orders-contract', 'semantics branches sales'].flatMap(
  (line) => {
    const [group, kind, id] = line.split(' ')
    const verbs = ['create', 'list', 'get', 'yaml', 'changes', 'rebase', 'merge', 'delete']
    const lines = verbs.map((verb) =>
      [group, kind, verb, id, ...(verb === 'list' ? [] : ['draft'])].join(' '),
    )
    return [
      ...inPart('branches', lines),
      withDocument('branches', `${group} ${kind} put ${id} draft`, { id: 'x' }),
    ]
  },
)

const SEMANTICS = [
  ...inPart('branches', ['datacontracts yaml orders-contract --branch draft']),
  withDocument('semantics', 'semantics namespaces put sales', { namespace: 'sales', name: 'S' }),
  withDocument('semantics', 'semantics concepts put sales order', { id: 'order', name: 'O' }),
  withDocument('semantics', 'semantics relationships put sales buys', { id: 'buys' }),
  ...inPart('semantics', [
    'semantics namespaces get sales',
    'semantics concepts list sales',
    'semantics concepts get sales order',
    'semantics relationships list sales',
    'semantics relationships get sales buys',
    'semantics search sales order',
    'semantics concepts delete sales order',
    'semantics relationships delete sales buys',
    'semantics namespaces delete sales',
  ]),
]

/** The rows of all these parts. */
export const LATER_ROWS: readonly CommandRow[] = [
  ...CREDENTIALS,
  ...GIT,
  ...BRANCHES,
  ...SEMANTICS,
  {
    command: 'semantics namespaces list',
    args: ['-o', 'json'],
    prints: ['[]'],
    shows: ['/api/semantics/experimental/namespaces', []],
  },
]

function inPart(later: string, lines: readonly string[]): CommandRow[] {
  return lines.map((line) => ({ ...splitLine(line), later }))
}

function withDocument(later: string, line: string, input: object): CommandRow {
  return { ...splitLine(line), input, later }
}

function splitLine(line: string): { command: string; args: readonly string[] } {
  const words = line.split(' ')
  const length = NESTED.test(line) ? 3 : 2
  return { command: words.slice(0, length).join(' '), args: words.slice(length) }
}
