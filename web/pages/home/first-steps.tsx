import { Circle, CircleCheck, X } from 'lucide-react'
import { useState } from 'react'
import { api, type Answer } from '../../api/client.ts'
import { maySomewhere, mayOwn, useSession, type Permit } from '../../api/session.ts'
import { ButtonLink, IconButton } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { areStepsHidden, hideSteps } from './hidden-steps.ts'

interface Step {
  title: string
  text: string
  isDone: boolean
  href: string
  action: string
  permit: Permit
  /** The same from a pipeline. */
  command?: string
}

/** The way from an empty catalog to one that lives; every step ticks itself off. */
export function FirstSteps({ counts }: { counts: Answer<'/ui/home', 'get'>['counts'] }) {
  const session = useSession()
  const organizationId = session.organization?.id ?? ''
  const [isHidden, setHidden] = useState(() => areStepsHidden(organizationId))
  const keys = api.useQuery('get', '/ui/api-keys', {}, { enabled: !isHidden })
  if (isHidden || keys.data === undefined) return null
  const steps = stepsOf(counts, keys.data.count, {
    register: maySomewhere(session, 'RESOURCES_ADD'),
    connect: maySomewhere(session, 'INGESTION_EDIT'),
    own: mayOwn(session),
  })
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  const hide = (): void => {
    hideSteps(organizationId)
    setHidden(true)
  }
  return (
    <Panel
      flush
      title="First steps"
      marks={`${done} of ${steps.length} done`}
      actions={
        <IconButton
          label="Hide the first steps"
          icon={<X size={14} aria-hidden />}
          onClick={hide}
        />
      }
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <StepRow key={step.title} step={step} />
        ))}
      </ol>
    </Panel>
  )
}

function StepRow({ step }: { step: Step }) {
  const { title, text, isDone, href, action, permit, command } = step
  return (
    <li className="flex gap-2.5 px-4 py-3">
      <span className="mt-0.5 shrink-0">
        {isDone ? (
          <CircleCheck size={16} aria-hidden className="text-positive" />
        ) : (
          <Circle size={16} aria-hidden className="text-faint" />
        )}
      </span>
      <div className="grid min-w-0 flex-1 justify-items-start gap-1.5">
        <p className="font-medium">
          {title}
          <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
        </p>
        {!isDone && (
          <>
            <p className="text-sm text-muted">{text}</p>
            <ButtonLink href={href} reason={permit.reason}>
              {action}
            </ButtonLink>
            {command !== undefined && (
              <details className="w-full min-w-0 text-sm">
                <summary className="w-fit rounded text-muted">From a pipeline</summary>
                <div className="mt-1">
                  <CodeBlock text={command} label="Command that registers a data product" />
                </div>
              </details>
            )}
          </>
        )}
      </div>
    </li>
  )
}

function stepsOf(
  counts: Answer<'/ui/home', 'get'>['counts'],
  keyCount: number,
  permits: { register: Permit; connect: Permit; own: Permit },
): Step[] {
  return [
    {
      title: 'Create a team',
      text: 'Every data product and contract is owned by a team, and its members may change it.',
      isDone: counts.teams > 0,
      href: paths.newTeam(),
      action: 'Create team',
      permit: permits.own,
    },
    {
      title: 'Register a data product',
      text: 'Describe it here in a form, or send its document from a pipeline.',
      isDone: counts.dataProducts > 0,
      href: paths.newDataProduct,
      action: 'Register data product',
      permit: permits.register,
      command: putCommand(window.location.origin),
    },
    {
      title: 'Create an API key',
      text: 'With a key, pipelines and tools register and read what you may register and read.',
      isDone: keyCount > 0,
      href: paths.apiKeys,
      action: 'Create key',
      permit: { allowed: true, reason: undefined },
    },
    {
      title: 'Connect a source',
      text: 'The tables of a warehouse or database arrive as assets, on a schedule.',
      isDone: counts.integrations > 0,
      href: paths.newIntegration,
      action: 'Connect source',
      permit: permits.connect,
    },
  ]
}

function putCommand(origin: string): string {
  return [
    `curl -X PUT ${origin}/api/dataproducts/orders \\`,
    "  -H 'x-api-key: <your key>' \\",
    "  -H 'content-type: application/yaml' \\",
    '  --data-binary @orders.odps.yaml',
  ].join('\n')
}
