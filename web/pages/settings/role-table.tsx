import { Pencil, X } from 'lucide-react'
import { PERMISSION_GROUPS } from '../../api/permission-groups.ts'
import { IconButton } from '../../parts/button.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import type { RoleUse, TeamRole } from './role-effects.ts'

interface RoleTableProps {
  roles: readonly TeamRole[]
  uses: readonly RoleUse[]
  /** Undefined = the roles cannot be changed. */
  actions?: { onEdit: (at: number) => void; onRemove: (at: number) => void }
}

/** The team roles with what they allow and how many members have them. */
export function RoleTable(props: RoleTableProps) {
  return (
    <Table
      label="Team roles"
      columns={getColumns(props)}
      rows={props.roles}
      getKey={({ name }) => name}
    />
  )
}

function getColumns({ roles, uses, actions }: RoleTableProps): Column<TeamRole>[] {
  const columns: Column<TeamRole>[] = [
    { title: 'Role', className: 'min-w-40 max-w-80', cell: renderName },
    {
      title: 'Own members',
      align: 'right',
      cell: ({ name }) => uses.find(({ role }) => role === name)?.members ?? 0,
    },
    { title: 'Permissions', className: 'min-w-64', cell: renderPermissions },
  ]
  if (actions === undefined) return columns
  const renderActions: Column<TeamRole>['cell'] = (role) => (
    <span className="flex justify-end gap-1">
      <IconButton
        label={`Edit ${role.name}`}
        icon={Pencil}
        onClick={() => actions.onEdit(roles.indexOf(role))}
      />
      <IconButton
        label={`Remove ${role.name}`}
        icon={X}
        onClick={() => actions.onRemove(roles.indexOf(role))}
      />
    </span>
  )
  return [...columns, { title: 'Actions', align: 'right', isAction: true, cell: renderActions }]
}

function renderName({ name, description }: TeamRole) {
  return (
    <>
      <span className="user-text font-medium">{name}</span>
      {description && (
        <span className="user-text line-clamp-3 text-sm text-muted">{description}</span>
      )}
    </>
  )
}

function renderPermissions({ permissions }: TeamRole) {
  if (permissions.length === 0) return <span className="text-muted">none</span>
  return (
    <ul className="grid gap-0.5">
      {PERMISSION_GROUPS.map((group) => {
        const granted = group.permissions.filter(({ permission }) =>
          permissions.includes(permission),
        )
        if (granted.length === 0) return null
        const isAll = granted.length === group.permissions.length
        return (
          <li key={group.title}>
            {group.title}{' '}
            <span className="text-sm text-muted">
              {isAll ? 'all' : granted.map(({ label }) => label).join(', ')}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
