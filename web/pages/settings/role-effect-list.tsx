import { labelPermission, type EffectivePermission } from '../../api/permission-words.ts'
import { Notice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import type { RoleEffect } from './role-effects.ts'

/** The permissions that members gain and lose when the edited roles are saved. */
export function RoleEffectList({ effects }: { effects: readonly RoleEffect[] }) {
  if (effects.length === 0) {
    return <p className="text-muted">No member gains or loses a permission.</p>
  }
  return (
    <ul aria-label="Effect" className="grid gap-2">
      {effects.map((effect) => (
        <li key={effect.role}>
          <Notice
            tone={getTone(effect)}
            title={`${effect.role}: ${countText(effect.members, 'member')}`}
          >
            {effect.isMissing ? (
              <p>The role is missing.</p>
            ) : (
              <>
                <Changes title="They gain" permissions={effect.gains} />
                <Changes title="They lose" permissions={effect.losses} />
              </>
            )}
          </Notice>
        </li>
      ))}
    </ul>
  )
}

function Changes({
  title,
  permissions,
}: {
  title: string
  permissions: readonly EffectivePermission[]
}) {
  if (permissions.length === 0) return null
  return (
    <p>
      {title}: {permissions.map(labelPermission).join(', ')}
    </p>
  )
}

function getTone({ isMissing, losses }: RoleEffect): 'critical' | 'caution' | 'info' {
  if (isMissing) return 'critical'
  return losses.length > 0 ? 'caution' : 'info'
}
