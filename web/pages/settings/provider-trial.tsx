import type { Schemas } from '../../api/client.ts'
import { ToneIcon, type Tone } from '../../parts/status.tsx'

type Finding = Schemas['IdentityProviderTestResult']['findings'][number]

const STEPS: Readonly<Record<Finding['step'], string>> = {
  address: 'Address',
  host: 'Host',
  certificate: 'Certificate',
  discovery: 'Discovery document',
  issuer: 'Issuer',
  endpoints: 'Endpoints',
  code: 'Authorization code flow',
  keys: 'Signing keys',
  secret: 'Client secret',
  redirect: 'Redirect address',
}

const TONES: Readonly<Record<Finding['state'], Tone>> = {
  passed: 'positive',
  failed: 'critical',
  unsure: 'caution',
  skipped: 'off',
}

const WORDS: Readonly<Record<Finding['state'], string>> = {
  passed: 'Passed',
  failed: 'Failed',
  unsure: 'Not sure',
  skipped: 'Not tried',
}

/** The steps of a test of a provider, each with its cause and remedy. */
export function ProviderTrial({ findings }: { findings: readonly Finding[] }) {
  return (
    <ol aria-label="Result of the test" className="grid gap-2 rounded-md border border-line p-3">
      {findings.map(({ step, state, sentence, remedy }) => (
        <li key={step} className="flex gap-2.5">
          <span className="mt-0.5">
            <ToneIcon tone={TONES[state]} size={16} />
          </span>
          <div className="min-w-0 flex-1">
            <span className="font-medium">{STEPS[step]}</span>
            <span className="sr-only">: {WORDS[state]}</span>
            <p className="user-text text-sm text-muted [overflow-wrap:anywhere]">{sentence}</p>
            {remedy !== null && (
              <p className="user-text text-sm [overflow-wrap:anywhere]">{remedy}</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
