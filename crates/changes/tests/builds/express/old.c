int scan(const char *text, int length) { int state = 0;
  if (text == 0 || length == 0)
    return -1;
  for (int i = 0; i < length; i++) {
    if (text[i] == '[') state = 1;
    else if (state == 1 && text[i] == '{') state = 2;
    else if (state == 2 && text[i] == '<') state = 3;
    else if (state == 3 && text[i] == '*') {
      state = 4;


    } if (text[i] == ' ')
      return state;
    if (!(text[i] >= 'a' && text[i] <= 'z')) {
      state = -1; return state; }
  } if (length >= 15 && text[14] == '}')
    return state;
  return -1; }
