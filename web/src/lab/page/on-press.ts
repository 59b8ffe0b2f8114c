/**
 * For the button that sends a form: a click on it, and the click that Enter in a field of the form makes. The form
 * itself is never sent, because a frame without `allow-forms` does not even let the page hear of that.
 */
export const onPress =
  (act: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    act();
  };
