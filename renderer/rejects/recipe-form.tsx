// Owns saving a fix as a recipe when it is replayed: its name, and whether it then works by itself. Never saves it.

import { Checkbox, TextInput } from '@mantine/core';
import type { NewRecipe } from './replay.tsx';

/** The checkbox, and what it asks for once it is checked. */
export const RecipeForm = ({
  stream,
  title,
  recipe,
  onChange,
}: {
  stream: string;
  /** What the fix is called, for a first name. */
  title: string;
  /** Null while it is not saved. */
  recipe: NewRecipe | null;
  onChange: (recipe: NewRecipe | null) => void;
}) => (
  <div className="recipe-form">
    <Checkbox
      label={`Save as a recipe of ${stream}`}
      checked={recipe !== null}
      onChange={(event) =>
        onChange(
          event.currentTarget.checked ? { name: title.slice(0, 80), automatic: false } : null,
        )
      }
    />
    {recipe === null ? null : (
      <>
        <TextInput
          aria-label="Name of the recipe"
          value={recipe.name}
          maxLength={80}
          onChange={(event) => onChange({ ...recipe, name: event.currentTarget.value })}
        />
        <Checkbox
          label="Apply it by itself to later rejects of this cause"
          checked={recipe.automatic}
          onChange={(event) => onChange({ ...recipe, automatic: event.currentTarget.checked })}
        />
      </>
    )}
  </div>
);
