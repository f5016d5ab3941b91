import { Link } from '../../parts/link.tsx'
import { Facts } from '../../parts/page.tsx'
import type { StepName } from './integration-draft.ts'
import { connectionFacts, filterFacts, secretFacts, type FactList } from './setup-facts.ts'
import type { Wizard } from './use-wizard.ts'

interface SummaryProps {
  wizard: Wizard
  /** Returns the address of a step. */
  getHref: (step: StepName) => string
}

/** The settings of the earlier steps, each with a link to change it. */
export function Summary({ wizard, getHref }: SummaryProps) {
  const { source, fields, draft } = wizard
  if (source === undefined) return null
  const connection: FactList = [
    ['Platform', source.title],
    ...connectionFacts(fields, draft.values),
    ...secretFacts(wizard),
  ]
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <Section title="Connection" href={getHref('connection')} facts={connection} />
      <Section title="Filters" href={getHref('filters')} facts={filterFacts(draft)} />
    </div>
  )
}

interface SectionProps {
  title: string
  href: string
  facts: FactList
}

function Section({ title, href, facts }: SectionProps) {
  return (
    <section className="grid gap-2">
      <header className="flex items-baseline gap-3">
        <h3 className="font-medium">{title}</h3>
        <Link href={href} className="inline-flex min-h-6 items-center text-sm">
          Change<span className="sr-only"> {title.toLowerCase()}</span>
        </Link>
      </header>
      <Facts facts={facts} isAligned />
    </section>
  )
}
