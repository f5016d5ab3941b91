import { useState, type ReactNode } from 'react'
import { jsonText, type ObjectValue } from '../../../formats/text/value.ts'
import type { Problem } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { useLeaving } from '../../documents/document-form.tsx'
import { useDraft } from '../../shell/draft.ts'
import { findSaveProblem, getTeamPermit, type TeamPermit } from './save-permit.ts'
import { useTeamSaving, type StoredTeam } from './stored-team.ts'
import {
  toTeamDocument,
  toTeamForm,
  isSame,
  rebaseTeam,
  type Rebased,
  type TeamForm,
} from './team-form-values.ts'

interface Draft {
  form: TeamForm
  /** The document that the form was read from. */
  base: ObjectValue
  etag: string | undefined
}

/** The state of a team that is being edited. */
interface TeamEditing {
  form: TeamForm
  change: (form: TeamForm) => void
  /** The parent when the form was read. */
  parentBefore: string
  isChanged: boolean
  /** Another person saved a version that the form does not have. */
  isOutrun: boolean
  takeOver: () => void
  /** The result of merging; undefined without a merge. */
  merged: Rebased | undefined
  /** Whether the form came from an earlier visit. */
  isRestored: boolean
  startAgain: () => void
  save: () => void
  isBusy: boolean
  /** The changes that this person may save. */
  permit: TeamPermit
  /** Why it cannot be saved now; undefined = it can. */
  reason: string | undefined
  problem: Problem | undefined
  /** Forgets what was typed before the page is left, and the dialog that asks first. */
  leaving: { leave: () => void; dialog: ReactNode }
}

/** Keeps the input about a team, saves it, and merges concurrent changes of others. */
export function useTeamEditing(id: string, stored: StoredTeam): TeamEditing {
  const session = useSession()
  const initial = { form: toTeamForm(stored.document), base: stored.document, etag: stored.etag }
  const draft = useDraft<Draft>(`team:${session.organization?.id}:${id}`, initial)
  const [merged, setMerged] = useState<Rebased | undefined>(undefined)
  const saving = useTeamSaving()
  const { isPending: isBusy, problem } = saving
  const { form, base, etag } = draft.value
  const isChanged = !isSame(toTeamForm(base), form)
  const isOutrun = etag !== stored.etag && !isBusy
  const permit = getTeamPermit(session, id, toTeamForm(stored.document).members)
  const forbidden = permit.may === 'nothing' ? permit.reason : undefined
  const unsaved = isChanged ? findSaveProblem(session, id, toTeamForm(base), form) : undefined
  const reason = saveReason(unsaved ?? forbidden, isChanged, isOutrun)
  const leaving = useLeaving(draft, isChanged)
  return {
    form,
    change: (next) => draft.set({ form: next, base, etag }),
    parentBefore: toTeamForm(base).parent,
    isChanged,
    isOutrun,
    takeOver: () => {
      const next = rebaseTeam(base, form, stored.document)
      draft.set({ form: next.form, base: stored.document, etag: stored.etag })
      setMerged(next)
    },
    merged,
    isRestored: draft.isKept,
    startAgain: () => {
      draft.set(initial)
      draft.discard()
      setMerged(undefined)
    },
    save: () => {
      if (reason !== undefined) return
      const text = jsonText(toTeamDocument(base, form))
      saving.run({ id, text, etag, message: 'Team saved', onSaved: leaving.leave })
    },
    isBusy,
    permit,
    reason,
    // The notice above the form describes it better.
    problem: problem?.status === 412 ? undefined : problem,
    leaving,
  }
}

function saveReason(
  forbidden: string | undefined,
  isChanged: boolean,
  isOutrun: boolean,
): string | undefined {
  if (forbidden !== undefined) return forbidden
  if (isOutrun) return 'Another user changed this team. Merge their changes first.'
  return isChanged ? undefined : 'Nothing has changed yet.'
}
