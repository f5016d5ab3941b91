import { api, type Answer } from '../api/client.ts'
import { maySomewhere, mayOwn, useSession, type Permit, type Session } from '../api/session.ts'
import { paths } from '../paths.ts'

type Done = Answer<'/ui/first-steps', 'get'>

/** One step from an empty catalog to one in use. */
export interface FirstStep {
  title: string
  text: string
  isDone: boolean
  href: string
  action: string
  /** The same step as a command of a pipeline. */
  command?: string
}

/** The first steps of an organization that the person may take. */
export interface FirstSteps {
  steps: readonly FirstStep[]
  /** The catalog has enough products to need no guidance. */
  isInUse: boolean
}

/** Loads the first steps; undefined until they are known, and while `isWanted` is false. */
export function useFirstSteps(isWanted: boolean): FirstSteps | undefined {
  const session = useSession()
  const options = { enabled: isWanted, refetchOnMount: 'always' } as const
  const { data, isFetchedAfterMount } = api.useQuery('get', '/ui/first-steps', {}, options)
  // An answer from before the last step would name that step once more.
  if (!isWanted || data === undefined || !isFetchedAfterMount) return undefined
  return { steps: listFirstSteps(session, data), isInUse: data.isInUse }
}

/** Returns the first steps that a person may take, in their order, each with whether it is done. */
export function listFirstSteps(session: Session, done: Done): FirstStep[] {
  return listAllSteps(session, done).flatMap(({ permit, ...step }) =>
    permit.allowed ? [step] : [],
  )
}

function listAllSteps(session: Session, done: Done): (FirstStep & { permit: Permit })[] {
  return [
    {
      title: 'Create a team',
      text: 'Teams own data products and contracts, and their members can change them.',
      isDone: done.team,
      href: paths.newTeam(),
      action: 'Create team',
      permit: mayOwn(session),
    },
    {
      title: 'Register a data product',
      text: 'Describe it in a form, or send its document from a pipeline.',
      isDone: done.dataProduct,
      href: paths.newDataProduct,
      action: 'Register data product',
      permit: maySomewhere(session, 'DATAPRODUCT_ADD'),
      command: putCommand(globalThis.location?.origin ?? ''),
    },
    {
      title: 'Create an API key',
      text: 'With a key, pipelines and tools read the catalog and register products.',
      isDone: done.apiKey,
      href: paths.newApiKey(),
      action: 'Create API key',
      permit: { allowed: true, reason: undefined },
    },
    {
      title: 'Connect a source',
      text: 'The tables of a warehouse or database become assets, on a schedule.',
      isDone: done.integration,
      href: paths.newIntegration,
      action: 'Connect source',
      permit: maySomewhere(session, 'INGESTION_EDIT'),
    },
  ]
}

function putCommand(origin: string): string {
  return [
    `curl -X PUT ${origin}/api/dataproducts/orders \\`,
    '  -H "x-api-key: $PORTBOOK_API_KEY" \\',
    "  -H 'content-type: application/yaml' \\",
    '  --data-binary @orders.odps.yaml',
  ].join('\n')
}

const KEY = 'portbook-first-steps-hidden:'
// What is stored when the steps were hidden; from before there was another way for them to end.
const HIDDEN = 'yes'

/** Whether the first steps are shown: `shown` once a page has, `over` when they are done or hidden. */
type StepsState = 'new' | 'shown' | 'over'

/** Reads the state of an organization's first steps in this browser. */
export function readStepsState(organizationId: string): StepsState {
  try {
    const stored = localStorage.getItem(KEY + organizationId)
    if (stored === null) return 'new'
    return stored === 'shown' ? 'shown' : 'over'
  } catch {
    return 'new'
  }
}

/** Keeps the state of an organization's first steps in this browser. */
export function keepStepsState(organizationId: string, state: 'shown' | 'over'): void {
  try {
    localStorage.setItem(KEY + organizationId, state === 'over' ? HIDDEN : state)
  } catch {
    // Without storage the steps are hidden until the page is left.
  }
}
