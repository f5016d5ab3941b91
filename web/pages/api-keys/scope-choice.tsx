import { useSession } from '../../api/session.ts'
import { Radio } from '../../parts/field.tsx'
import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { SCOPES, scopeReason } from './scopes.ts'

interface ScopeChoiceProps {
  scope: KeyScope
  onChange: (scope: KeyScope) => void
}

/** The six scopes, each with its powers; a scope that the person may not choose shows the reason. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const session = useSession()
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">Scope</legend>
      {SCOPES.map((one) => {
        const { title, powers } = KEY_SCOPES[one]
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
