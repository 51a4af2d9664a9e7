// Short names for what every module does with elements.

export const at = (id) => document.getElementById(id);

export const make = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

export const item = (...children) => make("li", {}, ...children);

export const button = (text, action) => {
  const made = make("button", { type: "button", textContent: text });
  made.addEventListener("click", action);
  return made;
};
