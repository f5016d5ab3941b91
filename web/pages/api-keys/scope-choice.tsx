import { useSession } from '../../api/session.ts'
import { Radio } from '../../parts/field.tsx'
import { SCOPES, scopeReason, type Scope } from './scopes.ts'

interface ScopeChoiceProps {
  scope: Scope
  onChange: (scope: Scope) => void
}

/** The six scopes, each with its powers; a scope that the person may not choose shows the reason. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const session = useSession()
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">Scope</legend>
      {SCOPES.map(({ scope: one, title, powers }) => {
        const reason = scopeReason(session, one)
        return (
          <Radio
            key={one}
            name="scope"
            label={title}
            hint={reason === undefined ? powers : `${powers} ${reason}`}
            className={reason === undefined ? '' : 'text-muted'}
            disabled={reason !== undefined}
            checked={one === scope}
            onChange={() => onChange(one)}
          />
        )
      })}
    </fieldset>
  )
}
