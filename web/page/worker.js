// Answers questions with the library. The build puts the JavaScript glue before this code.
let ready;

onmessage = ({ data: { module, id, question } }) => {
  if (module) {
    wasm_bindgen.initSync({ module });
    ready = true;
    return;
  }
  postMessage({ id, answer: ready ? answerTo(question) : { error: "not ready" } });
};

function answerTo(question) {
  const text = JSON.stringify(question);
  if (question.ask !== "picture") return JSON.parse(wasm_bindgen.ask(text));
  try {
    return { bytes: wasm_bindgen.picture(text) };
  } catch (error) {
    return { error: String(error) };
  }
}
